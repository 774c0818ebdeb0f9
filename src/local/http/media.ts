// Reads GitHub's media types out of an `Accept` header and the version out of `X-GitHub-Api-Version`.
// Follows docs.github.com/rest/using-the-rest-api/getting-started-with-the-rest-api#media-types.
export interface Media {
  /** `raw`, `sha`, `diff`, `patch`, `object`, …; null for plain JSON. */
  param: string | null;
  /** What the client wrote, for the `Content-Type` of an answer in that form. */
  type: string;
  /** As GitHub writes it in `x-github-media-type`. */
  label: string;
}

export const API_VERSIONS = ["2022-11-28", "2026-03-10"];
export const DEFAULT_API_VERSION = "2022-11-28";

const GITHUB_TYPE = /^application\/vnd\.github(?:\.v3)?(?:\.([a-z-]+))?(?:\+(json))?$/;

export function parseAccept(accept: string | undefined): Media {
  for (const item of (accept ?? "").split(",")) {
    const type = (item.split(";")[0] ?? "").trim().toLowerCase();
    const parts = GITHUB_TYPE.exec(type);
    if (!parts?.[1]) continue;
    const [, param, json] = parts;
    return { param, type, label: `github.v3; param=${param}${json ? "; format=json" : ""}` };
  }
  return { param: null, type: "application/json", label: "github.v3; format=json" };
}
