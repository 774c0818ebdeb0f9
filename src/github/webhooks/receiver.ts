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

/** Of all deliveries that arrive in this isolate at a time: one of the largest, and many of the usual size. */
export const HELD_BYTES_AT_MOST = 32 * 1024 * 1024;
/** How often GitHub is asked again because the repository changed meanwhile. */
const ROUNDS = 3;

export interface ReceiverOptions {
  /** One of them must have signed. */
  secrets: readonly string[];
  news: Pick<Crossing<NewsStore>, "take" | "taken" | "position">;
  /** Asks GitHub whether a repository is public; throws when that cannot be found out. */
  isPublic(repository: { id: number; fullName: string }): Promise<boolean>;
  /** Which installation opens what may have changed. */
  installationsChanged(): Promise<void>;
  /** Counts a delivery that was refused against its address; throws `rate_limited` where there were too many. */
  refusedFrom(address: string | null): Promise<void>;
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

const busy = (): GitpinError =>
  new GitpinError(
    "rate_limited",
    "Too many large deliveries arrive at once.",
    "Redeliver it in a few seconds.",
    { retryAfterSeconds: 5 },
  );

const overtaken = (): GitpinError =>
  new GitpinError(
    "upstream_unexpected",
    "News of the repository came while GitHub was asked whether it is public, each time.",
    "Redeliver it.",
  );

/** The whole body, hashed as it arrives; `body_too_large` as soon as more than the bound is announced or has come. */
async function verifiedBody(
  request: Request,
  secrets: readonly string[],
  held: { bytes: number },
): Promise<Uint8Array> {
  const signature = request.headers.get("x-hub-signature-256");
  if (!isSignature(signature)) throw refused();
  if (Number(request.headers.get("content-length") ?? 0) > WEBHOOK_BYTES_AT_MOST) throw tooLarge();
  const verifier = createVerifier(secrets);
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const piece of (request.body ?? []) as AsyncIterable<Uint8Array>) {
      length += piece.byteLength;
      held.bytes += piece.byteLength;
      if (length > WEBHOOK_BYTES_AT_MOST) throw tooLarge();
      if (held.bytes > HELD_BYTES_AT_MOST) throw busy();
      verifier.update(piece);
      pieces.push(piece);
    }
  } finally {
    held.bytes -= length;
  }
  if (!verifier.holds(signature)) throw refused();
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces, length);
}

export function createReceiver(options: ReceiverOptions): Receive {
  const { secrets, news } = options;
  const held = { bytes: 0 };

  async function bodyOf(request: Request): Promise<Uint8Array> {
    try {
      return await verifiedBody(request, secrets, held);
    } catch (thrown) {
      await options.refusedFrom(request.headers.get("cf-connecting-ip"));
      throw thrown;
    }
  }

  /** What GitHub must confirm before it is believed: as long as nothing else was told of the repository meanwhile. */
  async function confirmed({ items, publicized }: Told): Promise<Told["items"]> {
    if (publicized === null) return items;
    const unchangedSince = await news.position();
    if (!(await options.isPublic(publicized))) return items;
    return items.map((item) =>
      item.kind === "repository" ? { ...item, private: false, unchangedSince } : item,
    );
  }

  async function record(delivery: string, told: Told): Promise<"recorded" | "duplicate"> {
    for (let round = 0; round < ROUNDS; round++) {
      const taken = await news.take(delivery, await confirmed(told));
      if (taken !== "changed") return taken;
    }
    throw overtaken();
  }

  return async (request) => {
    const event = /^[a-z_]{1,60}$/.exec(request.headers.get("x-github-event") ?? "")?.[0] ?? "";
    const delivery = request.headers.get("x-github-delivery") ?? "";
    const body = await bodyOf(request);
    if (!/^[A-Za-z0-9-]{8,100}$/.test(delivery)) {
      throw malformed("The delivery has no id (X-GitHub-Delivery).", "X-GitHub-Delivery");
    }
    const receipt = (outcome: Receipt["outcome"]): Receipt => ({ outcome, event, delivery });
    const told = readEvent(event, body);
    if (told === undefined) return receipt("ignored");
    if (told === null) throw malformed(`The payload is not that of a ${event} event.`, "body");
    if (await news.taken(delivery)) return receipt("duplicate");
    if (told.installations) await options.installationsChanged();
    const outcome = await record(delivery, told);
    options.written();
    return receipt(outcome);
  };
}
