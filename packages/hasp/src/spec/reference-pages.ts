import { haspConfigSchema } from "./hasp-config-schema.js";
import type { ReferencePage } from "./reference-page.js";
import { toolSpecSchema } from "./tool-spec-schema.js";

/** The pages of the reference that are printed from the formats, by file name. */
export const referencePages: { readonly [file: string]: ReferencePage } = {
  "spec.md": {
    title: "The spec",
    introduction:
      "One tool a file: `*.tool.yaml`, `*.tool.yml` or `*.tool.json`. A `*.tools.yaml` holds `hasp: 1` and a list `tools`. " +
      "Whatever a spec leaves out has its strict value; whatever is milder is a claim that a reviewer approves. " +
      "This page is printed from the format itself, which editors read as `schema/tool-spec.schema.json`.",
    schema: toolSpecSchema,
    start: "Tool",
  },
  "configuration.md": {
    title: "The configuration",
    introduction:
      "`hasp.config.yaml`, `.json`, `.mjs` or `.ts` in the project's root; without one, everything has its default. " +
      "All paths are relative to the file, with forward slashes. " +
      "This page is printed from the format itself, which editors read as `schema/hasp-config.schema.json`.",
    schema: haspConfigSchema,
    start: "Config",
  },
};
