/**
 * Loaded before every test file: generated inputs are the same in each run, so that a run that fails fails again, and one
 * that passes says something about the change. New inputs are looked for by `npm run fuzz`, which leaves this out.
 */
import fc from "fast-check";

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_130 });
