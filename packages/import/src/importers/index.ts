// Written by `pnpm gen` from the files of this folder: adding one is adding a file.
import type { Importer } from "./source/importer.js";

/** A kind of source. */
export type ImportKind = "anthropic" | "gemini" | "mcp" | "mcp-list" | "openai" | "openapi" | "sql" | "zod";

/** The importers of `hasp import <kind>`, each loaded on demand. */
export const importers: { readonly [kind in ImportKind]: () => Promise<Importer> } = {
  anthropic: async () => (await import("./anthropic.js")).importAnthropic,
  gemini: async () => (await import("./gemini.js")).importGemini,
  mcp: async () => (await import("./mcp.js")).importMcp,
  "mcp-list": async () => (await import("./mcp-list.js")).importMcpList,
  openai: async () => (await import("./openai.js")).importOpenai,
  openapi: async () => (await import("./openapi.js")).importOpenapi,
  sql: async () => (await import("./sql.js")).importSql,
  zod: async () => (await import("./zod.js")).importZod,
};
