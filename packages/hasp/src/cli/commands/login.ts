import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { LoginClient } from "@hasp/handlers/oauth";
import { type Diagnostic, findSuggestions, attempt, printThrown, printVisibleText } from "@hasp/base/diagnostics";
import type { Connections } from "@hasp/compiler/model";
import { readOwnMember, isList, isObject, own } from "@hasp/base/json";
import { type ReadPlan, withPlan } from "../project/with-plan.js";
import { type CommandModule, type CommandResult, type Invocation, refuse } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";

type OauthRuntime = typeof import("@hasp/handlers/oauth");

/** Loads the project's own `@hasp/handlers/oauth`, where calls find stored logins; or returns a missing package. */
async function loadOauth(root: string): Promise<OauthRuntime | { readonly missing: string }> {
  const runtime = find(join(root, "package.json"), "@hasp/handlers/oauth");
  if (runtime === undefined) return { missing: "@hasp/handlers" };
  if (find(runtime, "oauth4webapi") === undefined) return { missing: "oauth4webapi" };
  return (await import(pathToFileURL(runtime).href)) as OauthRuntime;
}

function find(from: string, name: string): string | undefined {
  return attempt(() => createRequire(from).resolve(name));
}

interface LoginCommandOptions {
  readonly forget?: boolean;
}

export const login: CommandModule = {
  configure(command) {
    command
      .argument("<connection>", "a connection of the configuration with oauth2")
      .option("--forget", "log out: delete the stored tokens");
  },
  run: (invocation) => withPlan(invocation, changeLogin),
};

async function changeLogin({ plan }: ReadPlan, invocation: Invocation<LoginCommandOptions>): Promise<CommandResult> {
  const {
    root,
    words: [name = ""],
    options,
  } = invocation;
  const { connections = {} } = plan;
  const client = findClient(connections, name);
  if (client === undefined || client.flow === "clientCredentials") return refuse(noLogin(connections, name));
  const runtime = await loadOauth(root);
  if ("missing" in runtime) {
    return refuse(cliDiagnostics("package-missing", undefined, { name: runtime.missing, command: "login" }));
  }
  try {
    const text = await (options.forget === true ? logOut(runtime, client) : logIn(runtime, client, invocation));
    return { diagnostics: [], text };
  } catch (error) {
    return refuse(cliDiagnostics("login-failed", undefined, { reason: printVisibleText(printThrown(error)) }));
  }
}

async function logIn(
  { startLogin, tokenStore }: OauthRuntime,
  client: LoginClient,
  { terminal }: Invocation,
): Promise<string> {
  const { request, receiver, finished } = await startLogin(client, { store: tokenStore() });
  const { url, code, expiresAt } = request;
  const minutes = Math.max(1, Math.floor((Date.parse(expiresAt) - Date.now()) / 60_000));
  terminal.error(
    `Open this page, with an account that may use ${client.name}; its tokens go to ${receiver} only:\n  ${printVisibleText(url)}\n` +
      (code === undefined ? "" : `and enter this code:\n  ${printVisibleText(code)}\n`) +
      `Waiting for ${minutes} ${minutes === 1 ? "minute" : "minutes"}; press Ctrl-C to cancel.\n`,
  );
  await finished;
  return `${client.name}: logged in. Calls of this user to ${receiver} now have access, until "hasp login --forget ${client.name}".\n`;
}

async function logOut({ logOut: forget, tokenStore }: OauthRuntime, client: LoginClient): Promise<string> {
  return (await forget(client, tokenStore()))
    ? `${client.name}: logged out. The tokens are deleted.\n`
    : `${client.name}: there was no login to remove.\n`;
}

function findClient(connections: Connections, name: string): LoginClient | undefined {
  const [settings] = Object.values(own(connections, name) ?? {});
  const auth = settings?.["auth"];
  for (const method of isList(auth) ? auth : [auth]) {
    const oauth2 = readOwnMember(method, "oauth2");
    // The configuration's format matches the runtime's type.
    if (isObject(oauth2)) {
      const allowPrivateAddresses = settings?.["allowPrivateAddresses"] === true;
      const baseUrl = settings?.["baseUrl"] ?? settings?.["url"];
      return { name, ...oauth2, allowPrivateAddresses, baseUrl } as unknown as LoginClient;
    }
  }
  return undefined;
}

function noLogin(connections: Connections, name: string): Diagnostic {
  const names = Object.keys(connections).filter((other) => findClient(connections, other) !== undefined);
  return own(connections, name) === undefined
    ? cliDiagnostics("unknown-connection", undefined, { name, nearest: findSuggestions(name, names) })
    : cliDiagnostics("no-login-needed", undefined, { name });
}
