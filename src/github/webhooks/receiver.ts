/**
 * Takes GitHub's webhooks in: signature over the raw body before anything of it is read, size bounded while it arrives, each
 * delivery once. A delivery is recorded together with what it tells, after all else has succeeded: one that failed may come again.
 */
import { GitpinError } from "../../errors.ts";
import type { Crossing } from "../budget/crossing.ts";
import type { NewsStore } from "../news/news-store.ts";
import { readEvent, type Told } from "./events.ts";
import { createVerifier, isSignature } from "./signature.ts";

/** GitHub sends no larger ones. */
export const WEBHOOK_BYTES_AT_MOST = 25 * 1024 * 1024;

export interface ReceiverOptions {
  /** One of them must have signed. */
  secrets: readonly string[];
  news: Pick<Crossing<NewsStore>, "take" | "taken">;
  /** Asks GitHub whether a repository is public; throws when that cannot be found out. */
  isPublic(repository: { id: number; fullName: string }): Promise<boolean>;
  /** Which installation opens what may have changed. */
  installationsChanged(): Promise<void>;
  /** This isolate knows what it wrote from its next call on. */
  written(): void;
}

export interface Receipt {
  /** `duplicate`: taken in before. `ignored`: an event that means nothing here. */
  outcome: "recorded" | "duplicate" | "ignored";
  event: string;
  delivery: string;
}

export type Receive = (request: Request) => Promise<Receipt>;

const refused = (): GitpinError =>
  new GitpinError(
    "webhook_refused",
    "The delivery carries no signature that holds under this service's webhook secret.",
    "Set the same secret at GitHub's webhook and as GITHUB_WEBHOOK_SECRET, then redeliver.",
  );

const malformed = (message: string, field: string): GitpinError =>
  new GitpinError("invalid_argument", message, "Let GitHub redeliver it; content type application/json.", {
    field,
  });

const tooLarge = (): GitpinError =>
  new GitpinError("body_too_large", "The delivery is larger than GitHub sends any.", "Send a smaller body.", {
    limitBytes: WEBHOOK_BYTES_AT_MOST,
  });

/** The whole body, hashed as it arrives; `body_too_large` as soon as more than the bound is announced or has come. */
async function verifiedBody(request: Request, secrets: readonly string[]): Promise<Uint8Array> {
  const signature = request.headers.get("x-hub-signature-256");
  if (!isSignature(signature)) throw refused();
  if (Number(request.headers.get("content-length") ?? 0) > WEBHOOK_BYTES_AT_MOST) throw tooLarge();
  const verifier = createVerifier(secrets);
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    length += piece.byteLength;
    if (length > WEBHOOK_BYTES_AT_MOST) throw tooLarge();
    verifier.update(piece);
    pieces.push(piece);
  }
  if (!verifier.holds(signature)) throw refused();
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces, length);
}

export function createReceiver(options: ReceiverOptions): Receive {
  const { secrets, news } = options;

  /** What GitHub must confirm before it is believed. */
  async function confirmed({ items, publicized }: Told): Promise<Told["items"]> {
    if (publicized === null || !(await options.isPublic(publicized))) return items;
    return items.map((item) => (item.kind === "repository" ? { ...item, private: false } : item));
  }

  return async (request) => {
    const event = /^[a-z_]{1,60}$/.exec(request.headers.get("x-github-event") ?? "")?.[0] ?? "";
    const delivery = request.headers.get("x-github-delivery") ?? "";
    const body = await verifiedBody(request, secrets);
    if (!/^[A-Za-z0-9-]{8,100}$/.test(delivery)) {
      throw malformed("The delivery has no id (X-GitHub-Delivery).", "X-GitHub-Delivery");
    }
    const receipt = (outcome: Receipt["outcome"]): Receipt => ({ outcome, event, delivery });
    const told = readEvent(event, body);
    if (told === undefined) return receipt("ignored");
    if (told === null) throw malformed(`The payload is not that of a ${event} event.`, "body");
    if (await news.taken(delivery)) return receipt("duplicate");
    const items = await confirmed(told);
    if (told.installations) await options.installationsChanged();
    const first = await news.take(delivery, items);
    options.written();
    return receipt(first ? "recorded" : "duplicate");
  };
}
