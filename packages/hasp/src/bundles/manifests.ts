import type { JsonObject } from "@hasp/schema";
import { findConnectionName, declarationOf } from "@hasp/compiler/model";
import { dropUndefined, isObject, own, toRecord } from "@hasp/base/json";
import type { ToolSpec } from "@hasp/compiler";
import type { ProjectFacts } from "./project-facts.js";

/** A variable that tools read from the environment. Its value is secret and never written. */
export interface NeededVariable {
  readonly name: string;
  readonly tools: readonly string[];
}

export function listNeededEnvironment(
  tools: readonly { readonly name: string; readonly spec: ToolSpec }[],
  connections: { readonly [name: string]: unknown } = {},
): readonly NeededVariable[] {
  const readers = new Map<string, Set<string>>();
  for (const { name, spec } of tools) {
    const declared = declarationOf(spec);
    const connection = declared && findConnectionName(declared);
    const stated = connection === undefined ? undefined : own(connections, connection);
    for (const variable of [...(spec.needs?.env ?? []), ...variablesIn(stated)]) {
      const known = readers.get(variable) ?? new Set();
      readers.set(variable, known.add(name));
    }
  }
  return [...readers.keys()].toSorted().map((name) => ({ name, tools: [...(readers.get(name) ?? [])].toSorted() }));
}

function variablesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(variablesIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "env" && typeof inner === "string" ? [inner] : variablesIn(inner),
  );
}

function describeVariable({ tools }: NeededVariable): string {
  const [first = "", ...others] = tools;
  return others.length === 0 ? `Needed by ${first}.` : `Needed by ${first} and ${others.length} more.`;
}

const SERVER_SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

interface WaysToRun {
  readonly npm: boolean;
  readonly remote?: string;
}

export function createServerJson(
  facts: ProjectFacts,
  environment: readonly NeededVariable[],
  ways: WaysToRun,
): JsonObject {
  const { mcpName = "", description, version, repository, homepage, icons } = facts;
  const environmentVariables = environment.map((variable) => ({
    name: variable.name,
    description: describeVariable(variable),
    isRequired: true,
    isSecret: true,
  }));
  const common = { transport: { type: "stdio" }, ...(environment.length > 0 && { environmentVariables }) };
  const npm = { registryType: "npm", identifier: facts.name, version, runtimeHint: "npx", ...common };
  const source = repository === undefined ? undefined : /^https:\/\/(github|gitlab)\.com\//u.exec(repository)?.[1];
  return {
    $schema: SERVER_SCHEMA,
    name: mcpName,
    description,
    version,
    ...(repository !== undefined && source !== undefined && { repository: { url: repository, source } }),
    ...dropUndefined({ websiteUrl: homepage }),
    ...(icons !== undefined && icons.length > 0 && { icons: icons as unknown as JsonObject[] }),
    ...(ways.npm && { packages: [npm] }),
    ...(ways.remote !== undefined && { remotes: [{ type: "streamable-http", url: ways.remote }] }),
  };
}

interface BundledServer {
  readonly words: readonly string[];
  readonly tools: readonly { readonly name: string; readonly description: string }[];
}

const HASP = "node_modules/hasp/bin/hasp.js";

function bundleName(packageName: string): string {
  return packageName.replace(/^@/u, "").replace("/", "-");
}

export function createMcpbManifest(
  { name, version, description, author = { name: "" }, license, homepage, repository, keywords, icon }: ProjectFacts,
  environment: readonly NeededVariable[],
  { words, tools }: BundledServer,
): JsonObject {
  const names = environment.map((variable) => variable.name);
  return {
    manifest_version: "0.3",
    name: bundleName(name),
    version,
    description,
    author: { ...author },
    ...dropUndefined({ license, homepage }),
    ...(repository !== undefined && { repository: { type: "git", url: repository } }),
    ...(keywords && { keywords: [...keywords] }),
    ...dropUndefined({ icon }),
    server: {
      type: "node",
      entry_point: HASP,
      mcp_config: {
        command: "node",
        args: [`\${__dirname}/${HASP}`, "--cwd", "${__dirname}", "serve", ...words],
        env: toRecord(names, (variable) => `\${user_config.${variable}}`),
      },
    },
    tools: tools.map((tool) => ({ name: tool.name, description: tool.description })),
    compatibility: { platforms: ["darwin", "linux", "win32"], runtimes: { node: ">=20.19.0" } },
    ...(environment.length > 0 && {
      user_config: Object.fromEntries(
        environment.map((variable) => [
          variable.name,
          {
            type: "string",
            title: variable.name,
            description: describeVariable(variable),
            required: true,
            sensitive: true,
          },
        ]),
      ),
    }),
  };
}
