import { resolve } from "node:path";
import { exportDiagnostics } from "../../bundles/diagnostics.js";
import { bundleName, mcpbManifest } from "../../bundles/mcpb-manifest.js";
import { createLayout } from "../../../../compiler/src/typescript/layout.js";
import { bundledFiles } from "../../bundles/files/bundled-files.js";
import { zip } from "../../bundles/files/zip.js";
import { slashPath } from "../../../../project/src/fs/slash-path.js";
import { policyBeside } from "../../../../project/src/modules/load-registry.js";
import { policyToApply } from "../../../../compiler/src/model/toolset-members.js";
import type { Invocation } from "../shell/command.js";
import type { ExportOutcome } from "./exported-file.js";
import type { ExportOptions, ProjectToExport } from "./project-to-export.js";

/** Creates an MCP bundle: the compiled code, its packages, and a manifest that starts `hasp serve`. */
export async function bundleFile(
  { project, facts, tools, environment }: ProjectToExport,
  { options, folder }: Invocation<ExportOptions>,
): Promise<ExportOutcome> {
  const { root, plan, result } = project;
  const registry =
    options.registry === undefined ? resolve(root, createLayout(plan).registry) : resolve(folder, options.registry);
  const [contextFile, contextName] = options.context?.split("#") ?? [];
  const context = contextFile === undefined ? undefined : resolve(folder, contextFile);
  const applied = policyToApply(
    options.toolset,
    result.policies.map((policy) => policy.toolset),
  );
  if (applied === "unclear") return { diagnostics: [exportDiagnostics("which-policy", undefined, undefined)] };
  const { toolset: policy } = applied;
  const files = bundledFiles(root, facts, {
    registry,
    policy: policy === undefined ? undefined : policyBeside(registry, policy),
    context,
  });
  if ("diagnostics" in files) return files;
  const contextWord = context && slashPath(root, context) + (contextName === undefined ? "" : `#${contextName}`);
  const words = [
    ...tools.map(({ name }) => name),
    ...optionWords("--registry", slashPath(root, registry)),
    ...optionWords("--toolset", policy),
    ...optionWords("--context", contextWord),
    ...optionWords("--allow", ...(options.allow ?? [])),
    ...optionWords("--permit", ...(options.permit ?? [])),
  ];
  const { name, version, description, type } = facts;
  const described = tools.map((tool) => ({ name: tool.name, description: tool.spec.description }));
  const content = zip(
    new Map([
      ...files,
      ["package.json", jsonBytes({ name, version, description, ...(type !== undefined && { type }) })],
      ["manifest.json", jsonBytes(mcpbManifest(facts, environment, { words, tools: described }))],
    ]),
  );
  return {
    name: `${bundleName(name)}-${version}.mcpb`,
    content,
    isEarlier: (start) => start.startsWith("PK") && start.includes("manifest.json"),
  };
}

function optionWords(option: string, ...values: readonly (string | undefined)[]): readonly string[] {
  return values.flatMap((value) => (value === undefined ? [] : [option, value]));
}

function jsonBytes(value: object): Uint8Array {
  return Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`);
}
