/** What the bundler makes of an imported `.wasm` file in workerd. */
declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}
