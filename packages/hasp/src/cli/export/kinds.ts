import type { PackageField } from "../../bundles/project-facts.js";
import type { Invocation } from "../shell/command.js";
import type { ExportOutcome } from "./exported-file.js";
import type { ExportOptions, ProjectToExport } from "./project-to-export.js";

interface Kind {
  /** The fields of package.json that this kind needs besides those that every kind does. */
  readonly needs: readonly PackageField[];
  make(exported: ProjectToExport, invocation: Invocation<ExportOptions>): Promise<ExportOutcome>;
}

/** A kind of export. */
export type ExportKind = "server-json" | "mcpb";

/** What a project can be exported as, by the word on the command line. */
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
