import type { PackageField } from "../../bundles/project-facts.js";
import type { Invocation } from "../shell/command.js";
import type { ExportOutcome } from "./exported-file.js";
import type { ExportOptions, ProjectToExport } from "./project-to-export.js";

interface Kind {
  /** Required fields of package.json beside those of every kind. */
  readonly needs: readonly PackageField[];
  make(exported: ProjectToExport, invocation: Invocation<ExportOptions>): Promise<ExportOutcome>;
}

export type ExportKind = "server-json" | "mcpb";

/** The kinds of exports by their word on the command line. */
export const EXPORT_KINDS: { readonly [kind in ExportKind]: Kind } = {
  "server-json": {
    needs: ["mcpName"],
    make: async (...given) => (await import("./server-json-file.js")).serverJsonFile(...given),
  },
  mcpb: {
    needs: ["author"],
    make: async (...given) => (await import("./bundle-file.js")).bundleFile(...given),
  },
};
