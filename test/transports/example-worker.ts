/** An entry that serves the example app: what the interop tests run in workerd. */
import { exampleApp } from "./example-app.ts";

const app = exampleApp({ now: () => Date.now() }, (line) => console.log(JSON.stringify(line)));

export default { fetch: app.fetch };
