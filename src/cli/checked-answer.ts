/** An answer from outside is checked against the tool's own schema before it is believed. */
import type * as z from "zod";
import { GitpinError } from "../errors.ts";

export function checkedAnswer<S extends z.ZodType>(schema: S, answer: unknown): z.infer<S> {
  const checked = schema.safeParse(answer);
  if (checked.success) return checked.data;
  throw new GitpinError(
    "upstream_unexpected",
    "The service's answer is not of the form this command line knows.",
    "Use a command line of the same version as the service (`gitpin doctor` shows both).",
    { field: checked.error.issues[0]?.path.join(".") ?? "" },
  );
}
