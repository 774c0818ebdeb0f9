// Short-lived tokens in the download addresses of private repositories.
// Owns: minting and checking them. A token is good for one path and five minutes.
import { randomBytes } from "node:crypto";

const LIFETIME_MS = 5 * 60 * 1000;

export class Downloads {
  readonly #now: () => number;
  readonly #issued = new Map<string, { path: string; expires: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  issue(path: string): string {
    for (const [token, { expires }] of this.#issued) if (expires <= this.#now()) this.#issued.delete(token);
    const token = randomBytes(20).toString("base64url");
    this.#issued.set(token, { path, expires: this.#now() + LIFETIME_MS });
    return token;
  }

  allows(token: string | null, path: string): boolean {
    const issued = token === null ? undefined : this.#issued.get(token);
    return issued !== undefined && issued.path === path && issued.expires > this.#now();
  }
}
