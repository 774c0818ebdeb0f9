/** The product's tools without anything behind them: for tests of their words and schemas. Calling one throws. */
import type { ServicePorts } from "../../src/service/service-ports.ts";
import { createTools } from "../../src/tools/index.ts";

const nothingBehind = new Proxy({} as ServicePorts, {
  get(_target, name) {
    throw new Error(`a listing asked for ${String(name)}`);
  },
});

export const everyTool = () => createTools(nothingBehind);
