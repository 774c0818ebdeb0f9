/** The two spellings, and prose that names tools. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { respellProse, spellingOf, spellName } from "./spelling.ts";

const NAMES = ["pin.prove", "pin.prove_set", "pin.read", "kin_edit"];

test("names", () => {
  assert.equal(spellName("pin.prove_set", "underscore"), "pin_prove_set");
  assert.equal(spellName("pin.prove_set", "dotted"), "pin.prove_set");
  assert.equal(spellName("kin_edit", "underscore"), "kin_edit");
  assert.equal(spellingOf("pin_prove"), "underscore");
  assert.equal(spellingOf("pin.prove"), "dotted");
});

test("prose names siblings as they are listed, and only those that exist", () => {
  const prose =
    "Use pin_prove (or pin_prove_set), then pin_read. Not pin_reader, spin_read, pin_verify; see kin_edit.";
  assert.equal(
    respellProse(NAMES, "dotted")(prose),
    "Use pin.prove (or pin.prove_set), then pin.read. Not pin_reader, spin_read, pin_verify; see kin_edit.",
  );
  assert.equal(respellProse(NAMES, "underscore")(prose), prose);
  assert.equal(respellProse([], "dotted")(prose), prose);
});
