/** Edits of Go. No gofmt on the machines that run this: layout is compared with expectations written in its style. */
import { runCases } from "../../../../test/support/edit-cases.ts";
import { goCases } from "./go.fixture.ts";

runCases("Go (no gofmt here)", goCases);
