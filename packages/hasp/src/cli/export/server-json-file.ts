import { createHash } from "node:crypto";
import { exportDiagnostics } from "../../bundles/diagnostics.js";
import { httpsOf } from "../../bundles/package-fields.js";
import { serverJson } from "../../bundles/server-json.js";
import type { Invocation } from "../shell/command.js";
import { bundleFile } from "./bundle-file.js";
import type { ExportOutcome } from "./exported-file.js";
import type { ExportOptions, ProjectToExport } from "./project-to-export.js";

/** Creates the `server.json` of the MCP registry, and the bundle that it names, for its digest. */
export async function serverJsonFile(
  exported: ProjectToExport,
  invocation: Invocation<ExportOptions>,
): Promise<ExportOutcome> {
  const { facts, environment } = exported;
  const { bundle: url, remote } = invocation.options;
  const notHttps = [url, remote].find((given) => given !== undefined && httpsOf(given) === undefined);
  if (notHttps !== undefined) {
    return { diagnostics: [exportDiagnostics("not-an-address", undefined, { url: notHttps })] };
  }
  const npm = facts.hasBin && !facts.isPrivate;
  if (!npm && url === undefined && remote === undefined) {
    return { diagnostics: [exportDiagnostics("no-way-to-run", undefined, undefined)] };
  }
  const bundle = url === undefined ? undefined : await bundleFile(exported, invocation);
  if (bundle !== undefined && "diagnostics" in bundle) return bundle;
  const content = serverJson(facts, environment, {
    npm,
    ...(remote !== undefined && { remote }),
    ...(url !== undefined && bundle !== undefined && { bundle: { url, sha256: digestOf(bundle.content) } }),
  });
  return {
    name: "server.json",
    content: `${JSON.stringify(content, undefined, 2)}\n`,
    isEarlier: (start) => start.includes('"$schema": "https://static.modelcontextprotocol.io/schemas/'),
  };
}

function digestOf(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
