// `cache-control` and `last-modified` of answers, as recorded from GitHub.

/** Objects asked for by SHA; all else is `max-age=60` (the server's default). */
export function immutable(token: string | null): Record<string, string> {
  const scope = token === null ? "public" : "private";
  return { "cache-control": `${scope}, max-age=86400, s-maxage=86400` };
}

export function lastModified(seconds: number): Record<string, string> {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? {} : { "last-modified": date.toUTCString() };
}
