import type { JsonObject } from "@hasp/schema";
import { describeVariable, type NeededVariable } from "./needed-environment.js";
import type { ProjectFacts } from "./project-facts.js";

interface BundledServer {
  /** The words after `hasp serve`. */
  readonly words: readonly string[];
  readonly tools: readonly { readonly name: string; readonly description: string }[];
}

const HASP = "node_modules/hasp/bin/hasp.js";

/** Names the bundle of a package: bundles have no scopes. */
export function bundleName(packageName: string): string {
  return packageName.replace(/^@/u, "").replace("/", "-");
}

/** Creates the `manifest.json` of an MCP bundle, version 0.3. */
export function mcpbManifest(
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
    ...(license !== undefined && { license }),
    ...(homepage !== undefined && { homepage }),
    ...(repository !== undefined && { repository: { type: "git", url: repository } }),
    ...(keywords !== undefined && { keywords: [...keywords] }),
    ...(icon !== undefined && { icon: "icon.png" }),
    server: {
      type: "node",
      entry_point: HASP,
      mcp_config: {
        command: "node",
        args: [`\${__dirname}/${HASP}`, "--cwd", "${__dirname}", "serve", ...words],
        env: Object.fromEntries(names.map((variable) => [variable, `\${user_config.${variable}}`])),
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
