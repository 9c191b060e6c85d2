import { HINTS } from "../model/dialect.js";
import type { KindFormats } from "../model/handlers.js";
import type { ForeignWords } from "./format-problems.js";
import { createFormatCheck, type FormatCheck } from "./own-schema.js";
import { createToolSpecSchema } from "./tool-spec-schema.js";

/** The checks of a file with one tool, of the frame of a file with several, and of one tool in it. */
export interface SpecFormat {
  readonly toolFile: FormatCheck;
  readonly toolsFile: FormatCheck;
  readonly tool: FormatCheck;
}

/** Creates the format of specs whose handlers are of these kinds. A later check reports kinds that nothing adds. */
export function createSpecFormat(kinds: readonly KindFormats[]): SpecFormat {
  const described = [...kinds.map(({ name }) => name), "isolation"].join("|");
  const schema = createToolSpecSchema(kinds, `^(?!(?:${described})$)[a-z][a-z0-9-]*(?:/[a-z][a-z0-9-]*)?$`);
  return {
    toolFile: createFormatCheck(schema, "ToolFile", TOOL_HINTS),
    toolsFile: createFormatCheck(schema, "ToolsFile", { override: { name: "Tool", schema: {} } }),
    tool: createFormatCheck(schema, "Tool", TOOL_HINTS),
  };
}

/** Words of other descriptions of tools. */
const FOREIGN: ForeignWords = {
  keys: {
    inputSchema: "input",
    parameters: "input",
    outputSchema: "output",
    annotations: "behavior",
    behavioralFlags: "behavior",
    behaviouralFlags: "behavior",
    metadata: "behavior",
    flags: "behavior",
    concurrencyClass: "concurrency.class",
    isConcurrencySafe: "concurrency.class",
    concurrent: "concurrency.class",
    timeout: "limits.timeoutSeconds",
    timeoutMs: "limits.timeoutSeconds",
    retries: "limits.maxRetries",
    retry: "limits.maxRetries",
    retryable: "limits.maxRetries",
    maxResultSize: "limits.maxResultSizeChars",
    needsApproval: "behavior.requiresPermission",
    permission: "behavior.requiresPermission",
    permissions: "behavior.requiresPermission",
    interrupt: "behavior.interruptBehavior",
    onInterrupt: "behavior.interruptBehavior",
    defer: "visibility.load",
    deferLoading: "visibility.load",
    inputExamples: "examples",
    semanticCheck: "validate",
    ...Object.fromEntries(Array.from(HINTS, ([hint, { path }]) => [hint, path])),
    strict: "providers.<family>.strict",
  },
  values: { abort: "cancel", wait: "block" },
  code: ["execute", "call", "run", "invoke", "func", "function", "validateInput", "checkPermissions", "permit"],
};

const TOOL_HINTS = {
  // `flatten` checks the schemas inside a spec, since it knows their drafts.
  override: { name: "JsonSchema", schema: { type: ["object", "boolean"] } },
  foreign: FOREIGN,
};
