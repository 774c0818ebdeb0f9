/**
 * A GitHub App as credentials: the installation of each repository, its token. What is known is in this isolate's memory, so
 * that a warm call asks nobody; behind it stands whoever keeps the App's tokens (`AppTokens`, here or in its object).
 */
import { asGitpinError } from "../../errors.ts";
import type { Background } from "../../ports/background.ts";
import type { Clock } from "../../ports/clock.ts";
import { type Asking, addressOf } from "../asking.ts";
import type { Obtained } from "./app-tokens.ts";
import type { Access, Credentials } from "./credentials.ts";

/** `AppTokens` as it is reached, maybe through its object. */
export interface TokenKeeper {
  installation(address: string, background: Background): Promise<Obtained<number>>;
  token(
    installation: number,
    refused: string | null,
    access: Access,
    background: Background,
  ): Promise<Obtained<string>>;
}

/** How long this isolate goes by what it was told; the keeper knows when a token ends, and news of an installation. */
const HELD_MS = 60_000;

interface Held<T> {
  value: T;
  at: number;
}

export function appCredentials(appId: string, keeper: TokenKeeper, clock: Clock): Credentials {
  const installations = new Map<string, Held<number>>();
  const tokens = new Map<string, Held<string>>();
  const fresh = (held: Held<unknown>): boolean => clock.now() - held.at < HELD_MS;

  const obtained = <T>({ ledger }: Asking, { value, requests }: Obtained<T>): Held<T> => {
    ledger.upstreamRequests += requests;
    return { value, at: clock.now() };
  };

  async function installationOf(asking: Asking): Promise<number> {
    const address = addressOf(asking.entry).toLowerCase();
    const held = installations.get(address);
    if (held !== undefined && fresh(held)) return held.value;
    try {
      const found = obtained(asking, await keeper.installation(address, asking.background));
      installations.set(address, found);
      return found.value;
    } catch (thrown) {
      // While GitHub cannot be asked, what was known before still tells whose budget and tips are meant.
      if (held !== undefined && asGitpinError(thrown).form.retry) return held.value;
      installations.delete(address);
      throw thrown;
    }
  }

  async function tokenOf(
    asking: Asking,
    installation: number,
    access: Access,
    refused: string | null,
  ): Promise<string> {
    const key = `${installation} ${access}`;
    const held = tokens.get(key);
    if (held !== undefined && fresh(held) && held.value !== refused) return held.value;
    const token = obtained(asking, await keeper.token(installation, refused, access, asking.background));
    tokens.set(key, token);
    return token.value;
  }

  const holderOf = (installation: number): string => `installation:${installation}`;

  return {
    name: `app:${appId}`,
    authorized: true,
    holder: async (asking) => holderOf(await installationOf(asking)),
    async credential(asking, access) {
      const installation = await installationOf(asking);
      return { token: await tokenOf(asking, installation, access, null), holder: holderOf(installation) };
    },
    async renewed(asking, refused, access) {
      const installation = await installationOf(asking);
      const token = await tokenOf(asking, installation, access, refused.token);
      return token === refused.token ? null : { token, holder: holderOf(installation) };
    },
  };
}
