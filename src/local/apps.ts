// GitHub Apps of the host: who signs as which App, where it is installed, and the tokens of its installations.
// Owns: reading and judging an App's JWT with the App's public key, tokens that end after an hour and open what the
// installation does. Follows docs.github.com/apps (authenticating as a GitHub App). Refuses what GitHub refuses, in its words.
import { randomBytes, verify } from "node:crypto";
import { ApiError } from "./http/answer.ts";

export interface LocalInstallation {
  id: number;
  /** The owner it is installed at. */
  account: string;
  /** `owner/name`; all of the account's when left out. */
  repositories?: string[];
  suspended?: boolean;
  /** Default: contents and metadata, read. */
  permissions?: Record<string, string>;
}

export interface LocalApp {
  id: number;
  /** PEM of the key that its JWTs must be signed for. */
  publicKey: string;
  installations: LocalInstallation[];
}

export interface IssuedToken {
  value: string;
  /** Of the App: its commits are by `SLUG[bot]`. */
  slug: string;
  installation: LocalInstallation;
  /** Milliseconds since the epoch. */
  expiresAt: number;
  permissions: Record<string, string>;
  /** `owner/name`, narrowed when it was issued. */
  repositories: string[] | undefined;
}

const DOCS = "https://docs.github.com/rest";
const LEVELS = ["read", "write", "admin"];
const LIFETIME_MS = 3_600_000;
const LONGEST_JWT_SECONDS = 600;

export const slugOf = ({ id }: LocalApp): string => `app-${id}`;

const unauthorized = (message: string): ApiError => new ApiError(401, message, { documentationUrl: DOCS });

const json = (part: string): Record<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch (reason) {
    if (reason instanceof SyntaxError) return null;
    throw reason;
  }
};

export class Apps {
  readonly #apps: LocalApp[];
  readonly #now: () => number;
  readonly #issued = new Map<string, IssuedToken>();

  constructor(apps: LocalApp[], now: () => number) {
    this.#apps = apps;
    this.#now = now;
  }

  /** The App that signed; null when this is no JWT at all. Throws GitHub's 401. */
  signer(token: string): LocalApp | null {
    const [head = "", body = "", signature = "", ...more] = token.split(".");
    const header = json(head);
    if (header === null || signature === "" || more.length > 0) return null;
    const claims = json(body);
    if (claims === null || header.alg !== "RS256")
      throw unauthorized("A JSON web token could not be decoded");
    const { iat, exp, iss } = claims;
    const now = this.#now() / 1000;
    if (typeof exp !== "number") {
      throw unauthorized(
        "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
      );
    }
    if (exp <= now || exp - now > LONGEST_JWT_SECONDS)
      throw unauthorized(
        exp <= now
          ? "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires"
          : "'Expiration time' claim ('exp') is too far in the future",
      );
    if (typeof iat !== "number" || iat > now) {
      throw unauthorized(
        "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
      );
    }
    const app = this.#apps.find(({ id }) => String(id) === String(iss));
    if (app === undefined) throw new ApiError(404, "Integration not found", { documentationUrl: DOCS });
    const signed = Buffer.from(`${head}.${body}`);
    if (!verify("RSA-SHA256", signed, app.publicKey, Buffer.from(signature, "base64url"))) {
      throw unauthorized("A JSON web token could not be decoded");
    }
    return app;
  }

  /** A token that still opens something; null for any other. */
  token(value: string): IssuedToken | null {
    const issued = this.#issued.get(value);
    if (issued === undefined || this.#now() >= issued.expiresAt || issued.installation.suspended) return null;
    return issued;
  }

  issue(
    app: LocalApp,
    installation: LocalInstallation,
    asked: Partial<Pick<IssuedToken, "permissions" | "repositories">>,
  ): IssuedToken {
    const granted: Record<string, string> = {
      metadata: "read",
      ...(installation.permissions ?? { contents: "read" }),
    };
    if (installation.suspended) throw new ApiError(403, "This installation has been suspended");
    const permissions = asked.permissions ?? granted;
    const excess = Object.entries(permissions).some(([name, level]) => !reaches(granted[name], level));
    if (excess) {
      throw new ApiError(422, "The permissions requested are not granted to this installation.");
    }
    const within = (name: string): boolean => {
      const [owner = "", repository = ""] = name.split("/");
      return covers(installation, installation.repositories, owner, repository);
    };
    if (asked.repositories?.every(within) === false) {
      throw new ApiError(
        422,
        "There is at least one repository that does not exist or is not accessible to the parent installation.",
      );
    }
    // The stateless form of 2026: far longer than the 40 characters of old.
    const value = `ghs_${installation.id}_${randomBytes(150).toString("base64url")}`;
    const issued: IssuedToken = {
      value,
      slug: slugOf(app),
      installation,
      expiresAt: this.#now() + LIFETIME_MS,
      permissions,
      repositories: asked.repositories,
    };
    this.#issued.set(value, issued);
    return issued;
  }

  /** Every token given out so far ends now: as when GitHub revokes them. */
  revokeAll(): void {
    for (const issued of this.#issued.values()) issued.expiresAt = 0;
  }

  get issued(): readonly IssuedToken[] {
    return [...this.#issued.values()];
  }

  /** The installation of an App that opens a repository. */
  installationFor(app: LocalApp, owner: string, name: string): LocalInstallation | null {
    return app.installations.find((one) => covers(one, one.repositories, owner, name)) ?? null;
  }
}

/** Whether a permission that is granted is at least what is asked (`read`, `write`, `admin`). */
export function reaches(granted: string | undefined, asked: string): boolean {
  return granted !== undefined && LEVELS.indexOf(granted) >= LEVELS.indexOf(asked);
}

/** Whether an installation, maybe narrowed to some repositories, opens one. */
export function covers(
  installation: LocalInstallation,
  repositories: string[] | undefined,
  owner: string,
  name: string,
): boolean {
  if (installation.account.toLowerCase() !== owner.toLowerCase()) return false;
  const fullName = `${owner}/${name}`.toLowerCase();
  return repositories === undefined || repositories.some((one) => one.toLowerCase() === fullName);
}
