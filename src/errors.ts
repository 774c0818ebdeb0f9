/**
 * The one error type of the product, and the one table that says what each code means on every transport.
 * Owns: codes, HTTP status, CLI exit code, the JSON form of an error.
 * Refuses: tokens, response bodies or file content in `message` and `data` (errors are logged and shown to callers).
 * Verdicts (`missing`, `blocked`, ...) are results, not errors: see `schema/`.
 */

/** Who can mend it: the caller, the upstream host (GitHub), or we ourselves. */
export type Fault = "caller" | "upstream" | "service";

interface ErrorForm {
  /** HTTP status of REST answers. */
  http:
    | 400
    | 401
    | 403
    | 404
    | 405
    | 406
    | 409
    | 412
    | 413
    | 415
    | 421
    | 422
    | 428
    | 429
    | 500
    | 502
    | 503
    | 504
    | 507;
  /** Exit code of the command line: 2 stands for "the check could not be made" in every case. */
  exit: 2;
  fault: Fault;
  /** Whether the same call may succeed later without any change. */
  retry: boolean;
}

const caller = (http: ErrorForm["http"]): ErrorForm => ({ http, exit: 2, fault: "caller", retry: false });
const upstream = (http: ErrorForm["http"], retry = true): ErrorForm => ({
  http,
  exit: 2,
  fault: "upstream",
  retry,
});

/** Every error code there is. Codes are stable: they are added, never renamed. */
export const ERROR_FORMS = {
  /** An argument is missing, of the wrong type, or outside its bounds; `data.field` names it. */
  invalid_argument: caller(400),
  /** The path is not one that a git tree can hold (`..`, empty segment, NUL, leading slash). */
  invalid_path: caller(400),
  /** The history of a registry section has used up its room. */
  registry_full: { http: 507, exit: 2, fault: "service", retry: false },
  /** Names that are not UTF-8 make several entries of a directory read alike. */
  path_ambiguous: caller(422),
  /** A citation or handle that does not parse. */
  invalid_citation: caller(400),
  /** An abbreviated SHA that does not lead to exactly one commit. */
  sha_not_resolved: caller(400),
  /** `ref` is none of the registered refs of this repository. */
  ref_not_registered: caller(400),
  /** The caller named a branch that callers may commit to, and the repository has none of that name. */
  branch_missing: caller(404),
  /** No such name in the registry (or not one that this caller may see). */
  repository_unknown: caller(404),
  /** No credential where one is needed, or one that is wrong, expired or revoked. */
  unauthorized: caller(401),
  /** The credential is good and lacks the scope (`data.scope`) or the team for this. */
  forbidden: caller(403),
  /** This token or address called too often; `data.retryAfterSeconds` says when to come back. */
  rate_limited: { ...caller(429), retry: true },
  /** No token of this id in the caller's team. */
  token_unknown: caller(404),
  /** No such version in the history of this registry. */
  version_unknown: caller(404),
  /** A change of the registry without `If-Match`. */
  precondition_required: caller(428),
  /** The registry changed since it was read; `data.etag` is that of the present one. */
  precondition_failed: caller(412),
  /** The live registry could not be asked, so neither a token nor what it may see can be checked. */
  registry_unavailable: { http: 503, exit: 2, fault: "service", retry: true },
  /** A webhook without a signature that holds. */
  webhook_refused: caller(403),
  /** No such route. */
  route_unknown: caller(404),
  /** The `Host` header is none of ours. */
  host_refused: caller(421),
  /** The `Origin` header is none of ours. */
  origin_refused: caller(403),
  method_not_allowed: caller(405),
  not_acceptable: caller(406),
  body_too_large: caller(413),
  media_type_unsupported: caller(415),
  /** The file is larger than this service reads. */
  blob_too_large: caller(413),
  /**
   * The file is not one whose entities are read: `data.reason` is one of `too_large`, `not_utf8`, `binary`,
   * `lfs_pointer`, `symlink`, `submodule`, `directory`, `language_unsupported`, `parse_budget`, `too_many_errors`.
   */
  source_refused: caller(422),
  /** The part that parses source could not be reached, or gave up on what it was given. */
  entities_unavailable: { http: 503, exit: 2, fault: "service", retry: true },
  /** The registry opens neither the repository, nor the branch or path (`data`), to changes by callers. */
  write_not_allowed: caller(403),
  /** The host lets this service not write here; `data.permission` says what it lacks. */
  write_forbidden: upstream(502, false),
  /**
   * The host refuses to move or make this branch: `data.reason` is `rules` (`data.said`: which, where the words are on record),
   * `uncommitted` or `checked_out` (a served clone is worked in), or `refused` (nobody knows why).
   */
  branch_protected: upstream(409, false),
  /** The host made another tree of the files than was computed here; nothing was committed. */
  tree_mismatch: upstream(502),
  /** Whether the commit landed could not be found out; `data.commit` names it. */
  write_unknown: upstream(504),
  /** Other calls are committing to this branch; `data.retryAfterSeconds` says when to come back. */
  branch_busy: { http: 503, exit: 2, fault: "service", retry: true },
  /** The host refused to open the pull request. */
  pull_request_refused: upstream(422, false),
  /** The `request_id` was used before, with other arguments. */
  request_id_mismatch: caller(409),
  /** A call with this `request_id` is at work; `data.retryAfterSeconds` says when to come back. */
  request_in_progress: { ...caller(409), retry: true },
  /** The caller keeps as many request ids as fit; each is given up 30 days after its call. */
  request_ids_full: { http: 507, exit: 2, fault: "service", retry: false },
  /** What became of earlier calls with a `request_id` could not be asked; nothing was changed. */
  requests_unavailable: { http: 503, exit: 2, fault: "service", retry: true },
  /** The commit's archive unpacks to more bytes or entries than this service reads. */
  archive_too_large: caller(413),
  /** The tree has more directories than one call reads; what was read is kept, so that a repeated call goes on. */
  tree_incomplete: { http: 503, exit: 2, fault: "service", retry: true },
  /** The caller left while the answer was made; nobody reads this. */
  caller_left: caller(400),
  /** A search or a second look could not decide: `data.reasons` says what was left out. */
  absence_undecided: caller(422),
  /** Other searches take all there is; `data.retryAfterSeconds` says when to come back. */
  search_busy: { http: 503, exit: 2, fault: "service", retry: true },
  /** GitHub's code search cannot answer this question (a regular expression, punctuation only, no token). */
  code_search_unsupported: caller(422),
  /** The regular expression is not of the dialect; `data.position` says where, the next step the nearest form. */
  pattern_unsupported: caller(400),
  /** The regular expression compiles to a larger program than this service runs. */
  pattern_too_large: caller(422),
  /** The hosted repository has no commit yet. */
  repository_empty: upstream(404, false),
  /** The registered repository does not exist at the host, or our credentials do not show it. */
  repository_unavailable: upstream(502, false),
  /** The host told us that the registered repository was deleted. */
  repository_deleted: upstream(404, false),
  /** The registered repository is there, and what opened it to this service was taken away: App removed, suspended or narrowed. */
  repository_no_access: upstream(502, false),
  /** A registered ref does not exist at the host. */
  ref_missing: upstream(404, false),
  /** The host refused our credentials (401). */
  upstream_unauthorized: upstream(502, false),
  /** The host denies us this repository or operation (403). */
  upstream_forbidden: upstream(502, false),
  /** A rate limit of the host; `data.resetAt` (ISO time) and `data.retryAfterSeconds` say when to come back. */
  upstream_rate_limited: upstream(429),
  /** The host answered 5xx or not at all. */
  upstream_unavailable: upstream(502),
  upstream_timeout: upstream(504),
  /** The host's answer does not have the hash it was asked for by, or was cut. */
  upstream_corrupt: upstream(502),
  /** The host's answer is not of the documented form. */
  upstream_unexpected: upstream(502),
  /** A fault of ours. */
  internal: { http: 500, exit: 2, fault: "service", retry: false },
} as const satisfies Record<string, ErrorForm>;

export type ErrorCode = keyof typeof ERROR_FORMS;

/** Facts of an error, safe to show to the caller. */
export type ErrorData = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** The JSON form of an error, the same on every transport. */
export interface ErrorReport {
  code: ErrorCode;
  message: string;
  fault: Fault;
  retryable: boolean;
  nextStep: string;
  data: ErrorData;
}

export class GitpinError extends Error {
  readonly code: ErrorCode;
  readonly data: ErrorData;
  /** What the caller can do now, in one sentence. */
  readonly nextStep: string;

  constructor(
    code: ErrorCode,
    message: string,
    nextStep: string,
    data: ErrorData = {},
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = "GitpinError";
    this.code = code;
    this.data = data;
    this.nextStep = nextStep;
  }

  get form(): ErrorForm {
    return ERROR_FORMS[this.code];
  }

  report(): ErrorReport {
    return {
      code: this.code,
      message: this.message,
      fault: this.form.fault,
      retryable: this.form.retry,
      nextStep: this.nextStep,
      data: this.data,
    };
  }
}

export const callerLeft = (): GitpinError =>
  new GitpinError("caller_left", "The caller left before the answer was made.", "Ask again.");

/** Turns whatever was thrown into a `GitpinError`. An unknown fault keeps its text to itself: it may hold content. */
export function asGitpinError(thrown: unknown): GitpinError {
  if (thrown instanceof GitpinError) return thrown;
  return new GitpinError(
    "internal",
    "The service failed on this call.",
    "Try again; if it stays so, report the request id of this answer to the operator.",
    {},
    { cause: thrown },
  );
}
