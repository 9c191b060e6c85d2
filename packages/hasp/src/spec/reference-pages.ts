import { haspConfigSchema } from "./hasp-config-schema.js";
import { policySchema } from "./policy-schema.js";
import type { ReferencePage } from "./reference-page.js";
import { toolSpecSchema } from "./tool-spec-schema.js";

/** Reference pages generated from the formats, by file name. */
export const referencePages: { readonly [file: string]: ReferencePage } = {
  "spec.md": {
    title: "The spec",
    introduction:
      "One tool per file: `*.tool.yaml`, `*.tool.yml` or `*.tool.json`. A `*.tools.yaml` file contains `hasp: 1` and a list `tools`. " +
      "Omitted fields have their strict values; milder values are claims that a reviewer must approve. " +
      "This page is generated from the format itself, which editors read as `schema/tool-spec.schema.json`.",
    schema: toolSpecSchema,
    start: "Tool",
  },
  "policy.md": {
    title: "The policy",
    introduction:
      "A policy says which calls of a toolset run, are put to a person or are refused. A toolset names its file in `hasp.config.yaml` as `policy`. " +
      "Rules that allow, and the mode `accept-writes`, are claims that a reviewer must approve. " +
      "This page is generated from the format itself, which editors read as `schema/policy.schema.json`.",
    schema: policySchema,
    start: "Policy",
  },
  "configuration.md": {
    title: "The configuration",
    introduction:
      "`hasp.config.yaml`, `.json`, `.mjs` or `.ts` in the project root; without one, the defaults apply. " +
      "All paths are relative to the file, with forward slashes. " +
      "This page is generated from the format itself, which editors read as `schema/hasp-config.schema.json`.",
    schema: haspConfigSchema,
    start: "Config",
  },
};
