import type { Reporter } from "./report.js";

/** How each format is loaded; its keys are what `--format` takes. */
export const formats: { readonly [name in FormatName]: () => Promise<Reporter> } = {
  pretty: async () => (await import("./pretty.js")).pretty,
  json: async () => (await import("./json.js")).json,
  github: async () => (await import("./github.js")).github,
  junit: async () => (await import("./junit.js")).junit,
  markdown: async () => (await import("./markdown.js")).markdown,
  sarif: async () => (await import("./sarif.js")).sarif,
};

/** A name that `--format` takes. */
export type FormatName = "pretty" | "json" | "github" | "junit" | "markdown" | "sarif";
