// Making a blob: UTF-8 text or base64. Nothing refers to it yet.
import { type Answer, ApiError, json } from "../../http/answer.ts";
import type { RepositoryExchange, RepositoryRoute } from "../../http/exchange.ts";
import { optionalString, readMembers, requiredString } from "../../http/json-body.ts";
import { decodeBase64 } from "../../shapes/base64.ts";
import { linksOf } from "../../shapes/links.ts";
import { assertNotEmpty } from "./target.ts";

async function create(exchange: RepositoryExchange): Promise<Answer> {
  await assertNotEmpty(exchange);
  const members = await readMembers(exchange);
  const content = requiredString(members, "content");
  const encoding = optionalString(members, "encoding") ?? "utf-8";
  if (encoding !== "utf-8" && encoding !== "base64") {
    throw new ApiError(
      422,
      `Invalid request.\n\nFor 'properties/encoding', "${encoding}" is not utf-8 or base64.`,
    );
  }
  const bytes = encoding === "utf-8" ? Buffer.from(content) : decodeBase64(content);
  if (bytes === null) throw new ApiError(422, "content is not valid Base64");
  if (bytes.length > exchange.host.limits.blobBytes) {
    throw new ApiError(
      422,
      "Sorry, your input was too large to process. Consider creating the blob in a local clone of the repository and then pushing it to GitHub.",
      {
        members: { errors: [{ resource: "Blob", field: "data", code: "too_large" }] },
      },
    );
  }
  const sha = await exchange.repository.git.writer.blob(bytes);
  const url = linksOf(exchange).api(`/git/blobs/${sha}`);
  return json({ sha, url }, { location: url }, 201);
}

export const blobWrites: RepositoryRoute[] = [
  {
    method: "POST",
    pattern: "/git/blobs",
    docs: "https://docs.github.com/rest/git/blobs#create-a-blob",
    writes: "contents",
    run: create,
  },
];
