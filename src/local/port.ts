// Ports of this machine's loopback interface. Free a moment ago is all that can be known.
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { GitpinError } from "../errors.ts";

/** A port as the command line has it; 0 is any free one. Throws `invalid_argument`. */
export function checkedPort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new GitpinError("invalid_argument", "--port takes a number from 0 to 65535.", "Name another port.");
}

/** Listens for a moment. Rejects with EADDRINUSE, or EACCES for a port that is not this user's to take. */
async function listened(port: number): Promise<number> {
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return address.port;
}

export const freePort = (): Promise<number> => listened(0);

export const assertFree = async (port: number): Promise<void> => void (await listened(port));
