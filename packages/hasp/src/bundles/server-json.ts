import type { JsonObject } from "@hasp/schema";
import { describeVariable, type NeededVariable } from "./needed-environment.js";
import type { ProjectFacts } from "./project-facts.js";

/** The registry's schema of this date. */
export const SERVER_SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

interface WaysToRun {
  readonly npm: boolean;
  readonly bundle?: { readonly url: string; readonly sha256: string };
  readonly remote?: string;
}

/** The `server.json` of the MCP registry. */
export function serverJson(facts: ProjectFacts, environment: readonly NeededVariable[], ways: WaysToRun): JsonObject {
  const { mcpName = "", description, version, repository, homepage, icons } = facts;
  const environmentVariables = environment.map((variable) => ({
    name: variable.name,
    description: describeVariable(variable),
    isRequired: true,
    isSecret: true,
  }));
  const common = { transport: { type: "stdio" }, ...(environment.length > 0 && { environmentVariables }) };
  const packages: JsonObject[] = [];
  if (ways.npm) packages.push({ registryType: "npm", identifier: facts.name, version, runtimeHint: "npx", ...common });
  if (ways.bundle !== undefined) {
    const { url, sha256 } = ways.bundle;
    packages.push({ registryType: "mcpb", identifier: url, version, fileSha256: sha256, ...common });
  }
  const source = repository === undefined ? undefined : sourceOf(repository);
  return {
    $schema: SERVER_SCHEMA,
    name: mcpName,
    description,
    version,
    ...(repository !== undefined && source !== undefined && { repository: { url: repository, source } }),
    ...(homepage !== undefined && { websiteUrl: homepage }),
    ...(icons !== undefined && icons.length > 0 && { icons: icons as unknown as JsonObject[] }),
    ...(packages.length > 0 && { packages }),
    ...(ways.remote !== undefined && { remotes: [{ type: "streamable-http", url: ways.remote }] }),
  };
}

/** Names the host of a repository as the registry does; it takes no others. */
function sourceOf(repository: string): string | undefined {
  return /^https:\/\/(github|gitlab)\.com\//u.exec(repository)?.[1];
}
