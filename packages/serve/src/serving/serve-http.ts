import { dropUndefined, toRecord } from "@hasp/base/json";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createMcpHandler, mcpTasks, type McpToolset } from "@hasp/mcp";
import type { AnyTool, FlowSetting, PermissionPolicy } from "@hasp/runtime";
import {
  bearerAuthChallengeResponse,
  getOAuthProtectedResourceMetadataUrl,
  OAuthError,
  OAuthErrorCode,
  oauthMetadataResponse,
} from "@modelcontextprotocol/server";
import { findLongestTimeMs, createListeners, permitRules, type Serving } from "./serve-tools.js";
import { onStopSignal } from "./clean-output.js";
import { createTokenChecker } from "./check-token.js";
import { createHttpServer } from "./node-server.js";
import type { Auth } from "./read-auth.js";

export interface ListenAddress {
  /** Without the brackets of an IPv6 address. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
}

interface RateLimit {
  /** Takes calls from the budget and returns 0, or returns the seconds to wait and takes none. */
  take(principal: string, calls: number): number;
}

interface Account {
  left: number;
  at: number;
}

/** Beyond this number of principals, those silent for a minute are forgotten. */
const MANY = 10_000;

/** Allows each principal this many calls at once, refilled over a minute. `now` is in milliseconds. */
export function createRateLimit(perMinute: number, now: () => number = () => performance.now()): RateLimit {
  const accounts = new Map<string, Account>();
  const perMs = perMinute / 60_000;
  return {
    take(principal, calls) {
      const at = now();
      const { left, at: last } = accounts.get(principal) ?? { left: perMinute, at };
      const rest = Math.min(perMinute, left + (at - last) * perMs);
      // Reinsert the account, so that the oldest is first.
      accounts.delete(principal);
      accounts.set(principal, { left: rest < calls ? rest : rest - calls, at });
      if (accounts.size > MANY) {
        for (const [name, account] of accounts) {
          if (at - account.at < 60_000) break;
          accounts.delete(name);
        }
      }
      return rest < calls ? Math.ceil((calls - rest) / perMs / 1000) : 0;
    },
  };
}

interface HttpServing extends Omit<Serving, "input" | "output"> {
  readonly address: ListenAddress;
  /** Accepted tokens. If absent, everyone who reaches the server is served. */
  readonly auth: Auth | undefined;
  readonly toolsets: ReadonlyMap<string, readonly string[]>;
  readonly policies: ReadonlyMap<string, PermissionPolicy>;
  readonly flows: ReadonlyMap<string, FlowSetting>;
  /** Messages that each principal may send in a minute. Default: 600 with `auth`, else unlimited. */
  readonly rate: number | undefined;
  readonly onListening: (url: string) => void;
}

const PATH = "/mcp";
/** The time that the last answers have to arrive. */
const LAST_GRACE_MS = 2000;

/**
 * Serves tools over HTTP until a signal stops the server; then refuses new requests and lets running calls end.
 * Resolves when all have ended or have ignored their stop signal. Rejects if it cannot listen.
 */
export async function serveHttp(serving: HttpServing): Promise<void> {
  const { tools, withheld, policy, permitted, features, durable, extensions } = serving;
  const { info, instructions, address, auth, report, onListening } = serving;
  const { rate = auth && 600 } = serving;
  const limit = rate === undefined ? undefined : createRateLimit(rate);
  const checkToken = auth && createTokenChecker(auth, report);
  const registry = { tools: tools as readonly AnyTool[] as readonly never[], leftOut: withheld, flow: serving.flow };
  const handler = createMcpHandler<unknown, string>(registry, {
    info,
    instructions,
    hosts: ["localhost", "127.0.0.1", "[::1]", address.host, ...(auth === undefined ? [] : [auth.resource.hostname])],
    features: (name) => features.includes(name),
    permissions: { ...policy, rules: [...(policy?.rules ?? []), ...permitRules(permitted)] },
    context: serving.contextFor ?? (() => serving.context),
    durable,
    extensions,
    tasks: mcpTasks(),
    ...createListeners(serving),
    onProblem: ({ message }) => report(message),
    sdk: () => import("@modelcontextprotocol/server"),
    ...(auth && {
      toolsets: offeredByScope(auth, serving),
      refuseCall: (caller, name) => missingScope(auth, serving, caller?.toolsets ?? [], name),
    }),
    ...dropUndefined({ authenticate: checkToken }),
    ...(limit && {
      limit: (caller, messages) => {
        const seconds = limit.take(caller?.principal ?? "", messages);
        return seconds === 0
          ? undefined
          : new Response(null, { status: 429, headers: { "retry-after": String(seconds) } });
      },
    }),
  });
  let isStopping = false;

  async function answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === PATH) return handler(request);
    if (pathname === "/healthz") {
      return new Response(isStopping ? "stopping\n" : "ok\n", { status: isStopping ? 503 : 200 });
    }
    return (auth && createMetadata(auth, info.name, request)) ?? new Response(null, { status: 404 });
  }

  const server = createHttpServer(answer, report);
  server.listen(address.port, address.host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  onListening(`http://${address.host.includes(":") ? `[${address.host}]` : address.host}:${port}${PATH}`);
  await new Promise<void>((resolve) => onStopSignal(resolve));
  isStopping = true;
  const closed = once(server, "close");
  server.close();
  if (!(await handler.close({ timeoutMs: serving.drainMs ?? findLongestTimeMs(tools) }))) {
    report("A call is still running although the server was stopped; ending it.");
  }
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), LAST_GRACE_MS);
  await closed;
  clearTimeout(timer);
}

/** Refuses a call of a tool that only other scopes offer, with those scopes. */
function missingScope(
  { scopes, resource }: Auth,
  { tools, toolsets }: HttpServing,
  own: readonly string[],
  name: string,
): Response | undefined {
  const called = tools.find((tool) => tool.name === name)?.name;
  const offers = (toolset: string): boolean => called !== undefined && toolsets.get(toolset)?.includes(called) === true;
  const requiredScopes = Object.keys(scopes).filter((scope) => offers(scopes[scope] ?? ""));
  if (requiredScopes.length === 0 || own.some(offers)) return undefined;
  const error = new OAuthError(OAuthErrorCode.InsufficientScope, `No scope of the token offers ${name}.`);
  const resourceMetadataUrl = getOAuthProtectedResourceMetadataUrl(resource);
  return bearerAuthChallengeResponse(error, { requiredScopes, resourceMetadataUrl });
}

function offeredByScope(
  { scopes }: Auth,
  { toolsets, policies, flows, tools }: HttpServing,
): Record<string, McpToolset> {
  const offered = new Set(tools.map(({ name }) => name));
  return toRecord(Object.values(scopes), (name) => ({
    tools: (toolsets.get(name) ?? []).filter((tool) => offered.has(tool)),
    policy: policies.get(name),
    flow: flows.get(name),
  }));
}

function createMetadata({ issuer, resource, scopes }: Auth, name: string, request: Request): Response | undefined {
  if (new URL(request.url).pathname === "/.well-known/oauth-authorization-server") return undefined;
  return oauthMetadataResponse(request, {
    // Only the issuer matters: it publishes its own metadata.
    oauthMetadata: {
      issuer,
      authorization_endpoint: issuer,
      token_endpoint: issuer,
      response_types_supported: ["code"],
    },
    resourceServerUrl: resource,
    scopesSupported: Object.keys(scopes),
    resourceName: name,
    dangerouslyAllowInsecureIssuerUrl: true,
  });
}
