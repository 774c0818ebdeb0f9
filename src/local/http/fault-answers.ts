// The answers of faults that replace the true one: bare statuses, limits, the page of an overloaded GitHub.
import { type Answer, ApiError, errorAnswer } from "./answer.ts";
import type { Api, ApiRequest } from "./api.ts";
import type { FaultRule } from "./faults.ts";

const DOCS = "https://docs.github.com/rest";
const SECONDARY_DOCS =
  "https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits";
const UNICORN = `<!DOCTYPE html>
<html><head><title>Unicorn! &middot; GitHub</title></head>
<body><p><strong>No server is currently available to service your request.</strong></p></body></html>
`;

/** Null for the kinds that spoil the true answer. */
export function faultAnswer(
  rule: FaultRule,
  api: Api,
  request: ApiRequest,
  requestId: string,
): Answer | null {
  const { headers = {} } = rule;
  switch (rule.kind) {
    case "status": {
      const error = new ApiError(rule.status ?? 500, rule.message ?? "Server Error", { headers });
      return errorAnswer(error, DOCS);
    }
    case "html-503":
      return {
        status: 503,
        headers: { "content-type": "text/html; charset=utf-8", ...headers },
        body: Buffer.from(UNICORN),
      };
    case "primary-limit": {
      const limited = api.limited(request, requestId, rule.status === 429 ? 429 : 403);
      return { ...limited, headers: { ...limited.headers, ...api.limitHeaders(request, 0), ...headers } };
    }
    case "secondary-limit":
    case "secondary-limit-no-retry-after": {
      const wait =
        rule.kind === "secondary-limit" ? { "retry-after": String(rule.retryAfterSeconds ?? 60) } : {};
      const message = `You have exceeded a secondary rate limit. Please wait a few minutes before you try again. If you reach out to GitHub Support for help, please include the request ID ${requestId}.`;
      const error = new ApiError(rule.status ?? 403, message, { documentationUrl: SECONDARY_DOCS });
      const answer = errorAnswer(error, DOCS);
      return { ...answer, headers: { ...answer.headers, ...api.limitHeaders(request), ...wait, ...headers } };
    }
    default:
      return null;
  }
}
