/**
 * A GitHub App's dealings with GitHub: which installation opens a repository, and that installation's token.
 * Tokens are kept until shortly before they end and minted once however many ask; each is narrowed to what it is asked for:
 * reading contents, or, apart from that and never used for reads, committing or opening pull requests. Workflows never.
 * Runs in the app's Durable Object, for all isolates, or in an isolate where there is none. The App's own JWT goes to the
 * API host alone and lives for minutes.
 */
import githubAppJwt from "universal-github-app-jwt";
import * as z from "zod";
import { SingleFlight } from "../../cache/single-flight.ts";
import { GitpinError } from "../../errors.ts";
import type { Background } from "../../ports/background.ts";
import type { Clock } from "../../ports/clock.ts";
import { newLedger } from "../../ports/ledger.ts";
import { readJson } from "../answers.ts";
import type { Budget, Facts } from "../budget/budget.ts";
import { LOST, readTold } from "../budget/limits.ts";
import { failureOf, timedOut, unavailable, unexpected } from "../failure.ts";
import { redirectTarget } from "../redirect.ts";
import { API_VERSION, JSON_TYPE } from "../sending.ts";
import { exchangeOnce, type Received, Refusal } from "../transport.ts";
import {
  notPermitted as notPermittedToWrite,
  WRITE_CONTENTS,
  WRITE_PULL_REQUESTS,
} from "../write/write-failure.ts";
import type { Access } from "./credentials.ts";

export interface AppIdentity {
  /** The App's id or client id: the issuer of its JWT. */
  id: string;
  /** PEM of PKCS#8. */
  privateKey: string;
}

export interface AppTokensOptions extends AppIdentity {
  apiUrl: string;
  fetch: typeof fetch;
  clock: Clock;
  timeoutMs: number;
  userAgent: string;
  budget: Budget;
  /** Where installations and tokens outlive this isolate or object. */
  facts: Facts | null;
}

/** What an operation gave, and the requests to GitHub that it took. */
export interface Obtained<T> {
  value: T;
  requests: number;
}

/** GitHub's tokens live for an hour; no call begins with one that has less than this left. */
const MARGIN_MS = 5 * 60_000;
/** An installation of a repository hardly ever changes; a token that is refused makes us look again. */
const INSTALLATION_AGE_MS = 24 * 3_600_000;
/** That there is none may change with one click. */
const ABSENCE_AGE_MS = 60_000;
const ANSWER_BYTES_AT_MOST = 4 * 1024 * 1024;
const PERMISSIONS: Record<Access, Record<string, string>> = {
  read: { contents: "read", metadata: "read" },
  write: { contents: "write", metadata: "read" },
  propose: { contents: "read", metadata: "read", pull_requests: "write" },
};

/** Where a token of an installation is kept. */
const tokenKey = (installation: number, access: Access): string =>
  access === "read" ? `token ${installation}` : `token ${installation} ${access}`;

const installationAnswer = z.object({ id: z.number().int().positive() });
const tokenAnswer = z.object({ token: z.string().min(1), expires_at: z.iso.datetime({ offset: true }) });
const keptInstallation = z.object({ id: z.number().nullable(), at: z.number() });
const keptToken = z.object({ token: z.string(), expiresAt: z.number() });

type Kept = z.infer<typeof keptInstallation> | z.infer<typeof keptToken>;

interface Asked {
  method: "GET" | "POST";
  path: string;
  what: string;
  body?: unknown;
}

const notInstalled = (): GitpinError =>
  new GitpinError(
    "repository_no_access",
    "The service's GitHub App is not installed where it could read this repository, or there is no such repository.",
    "The owner installs the App for this repository, or the operator corrects the registry entry.",
  );

const notPermitted = (): GitpinError =>
  new GitpinError(
    "repository_no_access",
    "GitHub gives the service's App no token that reads contents: the installation is suspended, or lacks the permission.",
    "The owner unsuspends the installation or accepts its permissions: contents (read) and metadata (read).",
  );

const ACCESSES = ["read", "write", "propose"] as const;

const lacks = (access: Exclude<Access, "read">): GitpinError =>
  notPermittedToWrite(access === "write" ? WRITE_CONTENTS : WRITE_PULL_REQUESTS);

export class AppTokens {
  readonly #options: AppTokensOptions;
  readonly #flights: SingleFlight;
  readonly #memory = new Map<string, Kept>();
  /** GitHub's clock less ours, milliseconds, as far as it matters for a JWT. */
  #skewMs = 0;

  constructor(options: AppTokensOptions) {
    this.#options = options;
    this.#flights = new SingleFlight(options.timeoutMs * 2);
  }

  /** `address`: `/repos/OWNER/NAME` or `/repositories/ID`. Throws `repository_no_access`. */
  async installation(address: string, background: Background): Promise<Obtained<number>> {
    const key = `installation ${address.toLowerCase()}`;
    const now = (): number => this.#options.clock.now();
    const known = await this.#recall(key, keptInstallation);
    const holds = (kept: z.infer<typeof keptInstallation>): boolean =>
      now() - kept.at < (kept.id === null ? ABSENCE_AGE_MS : INSTALLATION_AGE_MS);
    if (known !== null && holds(known)) {
      if (known.id === null) throw notInstalled();
      return { value: known.id, requests: 0 };
    }
    return this.#once(key, background, async (count) => {
      const answer = await this.#ask(
        { method: "GET", path: `${address}/installation`, what: "the App's installation" },
        count,
      );
      if (answer.status !== 200 && answer.status !== 404) {
        throw failureOf(answer.status, "the App's installation");
      }
      const id = answer.status === 404 ? null : read(answer, installationAnswer, "the App's installation").id;
      await this.#remember(key, { id, at: now() });
      if (id === null) throw notInstalled();
      return id;
    });
  }

  /**
   * A token of an installation; never `refused`, which GitHub did not take. Throws `repository_no_access`, and
   * `write_forbidden` where the installation reads and may not do more.
   */
  async token(
    installation: number,
    refused: string | null,
    access: Access,
    background: Background,
  ): Promise<Obtained<string>> {
    const key = tokenKey(installation, access);
    const known = await this.#recall(key, keptToken);
    const hostNow = this.#options.clock.now() + this.#skewMs;
    if (known !== null && known.token !== refused && hostNow < known.expiresAt - MARGIN_MS) {
      return { value: known.token, requests: 0 };
    }
    return this.#once(key, background, async (count) => {
      const what = "the App's token";
      const path = `/app/installations/${installation}/access_tokens`;
      const answer = await this.#ask(
        { method: "POST", path, what, body: { permissions: PERMISSIONS[access] } },
        count,
      );
      if (answer.status === 404) throw await this.#gone(installation);
      if (answer.status === 422 && access !== "read") throw lacks(access);
      if (answer.status === 403 || answer.status === 422) throw notPermitted();
      if (answer.status !== 201) throw failureOf(answer.status, what);
      const { token, expires_at } = read(answer, tokenAnswer, what);
      await this.#remember(key, { token, expiresAt: Date.parse(expires_at) });
      return token;
    });
  }

  /** All that is known of installations may be wrong: the App was installed, removed, or given other repositories. */
  forgetInstallations(): void {
    for (const key of this.#memory.keys()) if (key.startsWith("installation ")) this.#memory.delete(key);
    this.#forgottenAt = this.#options.clock.now();
  }

  #forgottenAt = 0;

  /** The installation that a repository had is no more: the next call looks for another. */
  async #gone(installation: number): Promise<GitpinError> {
    this.forgetInstallations();
    for (const access of ACCESSES) this.#memory.delete(tokenKey(installation, access));
    return notInstalled();
  }

  async #once<T>(
    key: string,
    background: Background,
    work: (count: { requests: number }) => Promise<T>,
  ): Promise<Obtained<T>> {
    const count = { requests: 0 };
    const value = await this.#flights.run<T>(key, background, () => work(count));
    return { value, requests: count.requests };
  }

  async #recall<T extends Kept>(key: string, form: z.ZodType<T>): Promise<T | null> {
    const near = form.safeParse(this.#memory.get(key));
    if (near.success) return near.data;
    const text = (await this.#options.facts?.recall(key)) ?? null;
    const far = form.safeParse(text === null ? null : JSON.parse(text));
    if (!far.success || ("at" in far.data && far.data.at < this.#forgottenAt)) return null;
    this.#memory.set(key, far.data);
    return far.data;
  }

  async #remember(key: string, value: Kept): Promise<void> {
    this.#memory.set(key, value);
    await this.#options.facts?.remember(key, JSON.stringify(value));
  }

  /** One request with the App's JWT; a second one where GitHub's clock differs too much for the first, or the name has moved. */
  async #ask(asked: Asked, count: { requests: number }): Promise<Received> {
    let path = asked.path;
    for (let turn = 0; ; turn++) {
      const answer = await this.#send({ ...asked, path }, count);
      const again = turn < 2;
      if (answer.status === 401 && again && this.#adoptClock(answer)) continue;
      const moved = answer.status === 301 || answer.status === 307 || answer.status === 308;
      if (!moved || !again) return answer;
      path = redirectTarget(
        this.#options.apiUrl,
        path,
        answer.headers.get("location") ?? undefined,
        asked.what,
      );
    }
  }

  async #send({ method, path, what, body }: Asked, count: { requests: number }): Promise<Received> {
    const { apiUrl, clock, budget, timeoutMs, userAgent } = this.#options;
    const permit = await budget.reserve("core", "interactive");
    const seconds = Math.floor((clock.now() + this.#skewMs) / 1000);
    const { token } = await githubAppJwt({
      id: this.#options.id,
      privateKey: this.#options.privateKey,
      now: seconds,
    });
    const ledger = newLedger();
    const exchange = {
      fetch: this.#options.fetch,
      ledger,
      timeoutMs,
      maxBytes: ANSWER_BYTES_AT_MOST,
      excess: () => unexpected(what, "it is larger than any such answer"),
      what,
    };
    const headers: Record<string, string> = {
      accept: JSON_TYPE,
      authorization: `Bearer ${token}`,
      "user-agent": userAgent,
      "x-github-api-version": API_VERSION,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const keepAlive = () => undefined;
    try {
      const answer = await exchangeOnce(exchange, `${apiUrl}${path}`, init);
      const text = new TextDecoder().decode(answer.body);
      const limit = budget.settle(
        permit,
        readTold(answer.status, answer.headers, () => text, true),
        keepAlive,
      );
      if (limit !== null) throw limit;
      return answer;
    } catch (thrown) {
      if (thrown instanceof GitpinError) throw thrown;
      budget.settle(permit, LOST, keepAlive);
      if (thrown instanceof Refusal) throw thrown.failure;
      throw thrown instanceof DOMException
        ? timedOut(what, timeoutMs)
        : unavailable(what, "the connection failed");
    } finally {
      count.requests += ledger.upstreamRequests;
    }
  }

  /** Whether GitHub's clock turned out to differ from what was thought. */
  #adoptClock(answer: Received): boolean {
    const date = Date.parse(answer.headers.get("date") ?? "");
    if (!Number.isFinite(date)) return false;
    const skewMs = date - this.#options.clock.now();
    if (Math.abs(skewMs - this.#skewMs) < 20_000) return false;
    this.#skewMs = skewMs;
    return true;
  }
}

const read = <T extends z.ZodType>(answer: Received, form: T, what: string): z.output<T> =>
  readJson({ bytes: answer.body, contentType: answer.headers.get("content-type") ?? "" }, form, what);
