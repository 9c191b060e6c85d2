// Written by `pnpm gen` from the files of this folder: adding one is adding a file.
import type { Importer } from "./importer.js";

/** A kind of source. */
export type ImportKind = "mcp-list" | "openapi";

/** What `hasp import <kind>` can read. */
export const importers: { readonly [kind in ImportKind]: () => Promise<Importer> } = {
  "mcp-list": async () => (await import("./mcp-list.js")).importMcpList,
  openapi: async () => (await import("./openapi.js")).importOpenapi,
};
