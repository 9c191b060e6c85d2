import { compileFormat, type FormatCheck } from "../../diagnostics/own-schema.js";
import { toolSpecSchema } from "../../spec/tool-spec-schema.js";

/** Checks of the three things that a spec file may hold. */
export interface SpecFormat {
  /** A tool in a file of its own. */
  readonly toolFile: FormatCheck;
  /** The frame of a file with several tools, without the tools. */
  readonly toolsFile: FormatCheck;
  /** One tool of such a file. */
  readonly tool: FormatCheck;
}

/** The spec format's checks. Compiling one takes a while, so each is compiled when it is first used. */
export const specFormat: SpecFormat = {
  toolFile: compiledOnce(() => compileFormat(toolSpecSchema, "ToolFile", TOOL_HINTS)),
  toolsFile: compiledOnce(() => compileFormat(toolSpecSchema, "ToolsFile", { override: { name: "Tool", schema: {} } })),
  tool: compiledOnce(() => compileFormat(toolSpecSchema, "Tool", TOOL_HINTS)),
};

function compiledOnce(compile: () => FormatCheck): FormatCheck {
  let check: FormatCheck | undefined;
  return (value) => {
    check ??= compile();
    return check(value);
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

const TOOL_HINTS = {
  // `flatten` judges the schemas inside a spec, keyword by keyword, and knows their drafts.
  override: { name: "JsonSchema", schema: { type: ["object", "boolean"] } },
  synonyms: SYNONYMS,
};
