// What an App itself may ask: its installations, which of them opens a repository, and a token of one.

import { type LocalApp, type LocalInstallation, slugOf } from "../apps.ts";
import { type Answer, ApiError, json, notFound } from "../http/answer.ts";
import type { Exchange, RepositoryRoute, Route } from "../http/exchange.ts";
import { userShape } from "../shapes/user.ts";

const DOCS = "https://docs.github.com/rest/apps/apps";

function signer({ caller }: Exchange): LocalApp {
  if (caller.app === undefined) throw new ApiError(401, "A JSON web token could not be decoded");
  return caller.app;
}

function shapeOf(
  { host }: Exchange,
  app: LocalApp,
  installation: LocalInstallation,
): Record<string, unknown> {
  const { id, account, repositories, suspended } = installation;
  return {
    id,
    account: userShape(host.url, account),
    repository_selection: repositories === undefined ? "all" : "selected",
    access_tokens_url: `${host.url}/app/installations/${id}/access_tokens`,
    repositories_url: `${host.url}/installation/repositories`,
    html_url: `${host.url}/settings/installations/${id}`,
    app_id: app.id,
    target_id: id,
    target_type: "Organization",
    permissions: installation.permissions ?? { contents: "read", metadata: "read" },
    events: ["push", "repository"],
    created_at: "2026-01-01T00:00:00Z",
    updated_at: "2026-01-01T00:00:00Z",
    single_file_name: null,
    app_slug: slugOf(app),
    suspended_at: suspended ? "2026-01-02T00:00:00Z" : null,
    suspended_by: null,
  };
}

function named(exchange: Exchange, app: LocalApp): LocalInstallation {
  const found = app.installations.find(({ id }) => String(id) === exchange.params.installation);
  if (found === undefined) throw notFound();
  return found;
}

async function accessToken(exchange: Exchange): Promise<Answer> {
  const app = signer(exchange);
  const installation = named(exchange, app);
  const body = await exchange.body();
  const asked = (body.length === 0 ? {} : JSON.parse(body.toString("utf8"))) as {
    permissions?: Record<string, string>;
    repositories?: string[];
  };
  const narrowed = asked.repositories?.map((name) => `${installation.account}/${name}`);
  const { value, expiresAt, permissions } = exchange.host.apps.issue(app, installation, {
    ...(asked.permissions === undefined ? {} : { permissions: asked.permissions }),
    ...(narrowed === undefined ? {} : { repositories: narrowed }),
  });
  const answer = {
    token: value,
    expires_at: `${new Date(expiresAt).toISOString().slice(0, 19)}Z`,
    permissions,
    repository_selection: installation.repositories === undefined ? "all" : "selected",
  };
  return json(answer, {}, 201);
}

export const apps: Route[] = [
  {
    method: "GET",
    pattern: "/app/installations",
    docs: `${DOCS}#list-installations-for-the-authenticated-app`,
    run: (exchange) => {
      const app = signer(exchange);
      return json(app.installations.map((one) => shapeOf(exchange, app, one)));
    },
  },
  {
    method: "GET",
    pattern: "/app/installations/{installation}",
    docs: `${DOCS}#get-an-installation-for-the-authenticated-app`,
    run: (exchange) => {
      const app = signer(exchange);
      return json(shapeOf(exchange, app, named(exchange, app)));
    },
  },
  {
    method: "POST",
    pattern: "/app/installations/{installation}/access_tokens",
    docs: `${DOCS}#create-an-installation-access-token-for-an-app`,
    run: accessToken,
  },
];

export const appInstallation: RepositoryRoute[] = [
  {
    method: "GET",
    pattern: "/installation",
    app: true,
    docs: `${DOCS}#get-a-repository-installation-for-the-authenticated-app`,
    async run(exchange) {
      const app = signer(exchange);
      const { owner, name } = exchange.repository;
      const installation = exchange.host.apps.installationFor(app, owner, name);
      if (installation === null) throw notFound();
      return json(shapeOf(exchange, app, installation));
    },
  },
];
