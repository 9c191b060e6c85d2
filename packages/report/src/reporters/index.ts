// Written by `pnpm gen` from the files of this folder: adding one is adding a file.
import type { ReportFormat } from "./report.js";

/** A name that `--format` takes. */
export type FormatName = "github" | "json" | "junit" | "markdown" | "pretty" | "sarif";

/** Every output format, by its name. */
export const reportFormats: { readonly [name in FormatName]: () => Promise<ReportFormat> } = {
  github: async () => (await import("./github.js")).github,
  json: async () => (await import("./json.js")).json,
  junit: async () => (await import("./junit.js")).junit,
  markdown: async () => (await import("./markdown.js")).markdown,
  pretty: async () => (await import("./pretty.js")).pretty,
  sarif: async () => (await import("./sarif.js")).sarif,
};
