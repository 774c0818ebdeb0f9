// GitHub's "simple user", for the owner of a repository.
import { createHash } from "node:crypto";
import { nodeId } from "./links.ts";

/** 31 bits of the login's SHA-256. */
export function userId(login: string): number {
  return createHash("sha256").update(login.toLowerCase()).digest().readUInt32BE(0) >>> 1;
}

export function userShape(base: string, login: string): Record<string, unknown> {
  const api = `${base}/users/${login}`;
  const id = userId(login);
  return {
    login,
    id,
    node_id: nodeId("User", id),
    avatar_url: `${base}/${login}.png`,
    gravatar_id: "",
    url: api,
    html_url: `${base}/${login}`,
    followers_url: `${api}/followers`,
    following_url: `${api}/following{/other_user}`,
    gists_url: `${api}/gists{/gist_id}`,
    starred_url: `${api}/starred{/owner}{/repo}`,
    subscriptions_url: `${api}/subscriptions`,
    organizations_url: `${api}/orgs`,
    repos_url: `${api}/repos`,
    events_url: `${api}/events{/privacy}`,
    received_events_url: `${api}/received_events`,
    type: "User",
    user_view_type: "public",
    site_admin: false,
  };
}
