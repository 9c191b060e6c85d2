import { compileFormat, type FormatCheck } from "../../diagnostics/own-schema.js";
import { readOwnSchema } from "../../io/read-own-schema.js";

/** Checks of the three things that a spec file may hold. */
export interface SpecFormat {
  /** A tool in a file of its own. */
  readonly toolFile: FormatCheck;
  /** The frame of a file with several tools, without the tools. */
  readonly toolsFile: FormatCheck;
  /** One tool of such a file. */
  readonly tool: FormatCheck;
}

let compiled: SpecFormat | undefined;

/** The spec format's checks, compiled when first asked for. */
export function specFormat(): SpecFormat {
  compiled ??= compileSpecFormat();
  return compiled;
}

function compileSpecFormat(): SpecFormat {
  const schema = readOwnSchema("tool-spec");
  const hints = {
    // `flatten` judges the schemas inside a spec, keyword by keyword, and knows their drafts.
    override: { name: "JsonSchema", schema: { type: ["object", "boolean"] } },
    synonyms: SYNONYMS,
  };
  return {
    toolFile: compileFormat(schema, "ToolFile", hints),
    toolsFile: compileFormat(schema, "ToolsFile", { override: { name: "Tool", schema: {} } }),
    tool: compileFormat(schema, "Tool", hints),
  };
}

/** What the same thing is called in the formats that people come from. */
const SYNONYMS: { readonly [key: string]: string } = {
  inputSchema: "input",
  input_schema: "input",
  parameters: "input",
  outputSchema: "output",
  output_schema: "output",
  annotations: "behavior",
  readOnlyHint: "behavior.isReadOnly",
  destructiveHint: "behavior.isDestructive",
  idempotentHint: "behavior.isIdempotent",
  openWorldHint: "behavior.isOpenWorld",
  strict: "providers.<family>.strict",
};
