/**
 * Boots the one web-tree-sitter runtime of this isolate from a compiled module, and shows its memory.
 * A runtime cannot be unloaded: the first module handed in serves every later call.
 */
import { Parser } from "web-tree-sitter";

let memory: WebAssembly.Memory | undefined;
let boot: Promise<void> | undefined;

/** Bytes of wasm memory held now; it grows and never shrinks. 0 before the boot. */
export const memoryBytes = (): number => memory?.buffer.byteLength ?? 0;

export function bootRuntime(module: WebAssembly.Module): Promise<void> {
  boot ??= start(module);
  return boot;
}

async function start(module: WebAssembly.Module): Promise<void> {
  // In workerd with nodejs_compat the runtime takes the isolate for Node and calls createRequire, which is not there.
  // It takes Electron's renderer for a browser, which fits; the marker is set for the boot alone.
  const host = (globalThis as { process?: { type?: string } }).process;
  const marked = host !== undefined && host.type === undefined;
  if (marked) host.type = "renderer";
  try {
    const options = {
      // workerd compiles no wasm from bytes: the instance is made here from the module that was handed in.
      instantiateWasm(imports: WebAssembly.Imports, done: (instance: unknown, module: unknown) => void) {
        const instance = new WebAssembly.Instance(module, imports);
        // `env` answers for any name it is asked: it is asked for this one alone.
        const held = imports.env?.memory;
        if (held instanceof WebAssembly.Memory) memory = held;
        done(instance, module);
        return instance.exports;
      },
    };
    await Parser.init(options as Parameters<typeof Parser.init>[0]);
    if (memory === undefined) throw new Error("The parser runtime shows no memory, so it cannot be bounded.");
  } finally {
    if (marked) delete host.type;
  }
}
