/** The Worker under test, in workerd on a loopback port: the same runtime as `npm start`, with fresh storage. */
export { ENTITIES_ENTRY, type RunningWorker, startWorker, type WorkerOptions } from "../src/local/workerd.ts";
