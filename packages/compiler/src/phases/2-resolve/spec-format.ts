import { FIELD_ENTRIES } from "@hasp/runtime";
import { compileFormat, type FormatCheck, type FormatHints } from "../../spec/own-schema.js";
import { once } from "../../model/once.js";
import { toolSpecSchema } from "../../spec/tool-spec-schema.js";

/** Checks of the three parts that a spec file may have. */
interface SpecFormat {
  /** A tool in a file of its own. */
  readonly toolFile: FormatCheck;
  /** The frame of a file with several tools, without the tools. */
  readonly toolsFile: FormatCheck;
  /** One tool of such a file. */
  readonly tool: FormatCheck;
}

/** The checks of the spec format, each compiled when it is first used. */
export const specFormat: SpecFormat = {
  toolFile: compiledOnce("ToolFile", () => TOOL_HINTS),
  toolsFile: compiledOnce("ToolsFile", () => ({ override: { name: "Tool", schema: {} } })),
  tool: compiledOnce("Tool", () => TOOL_HINTS),
};

function compiledOnce(name: string, hintsOf: () => FormatHints): FormatCheck {
  const check = once(() => compileFormat(toolSpecSchema, name, hintsOf()));
  return (value) => check()(value);
}

/** Keys of other formats, with the key of a spec that means the same. */
const SYNONYMS: { readonly [key: string]: string } = {
  inputSchema: "input",
  input_schema: "input",
  parameters: "input",
  outputSchema: "output",
  output_schema: "output",
  annotations: "behavior",
  ...Object.fromEntries(
    FIELD_ENTRIES.flatMap(({ path, field }) => (field.hint === undefined ? [] : [[`${field.hint}Hint`, path]])),
  ),
  strict: "providers.<family>.strict",
};

const TOOL_HINTS = {
  // `flatten` checks the schemas inside a spec, since it knows their drafts.
  override: { name: "JsonSchema", schema: { type: ["object", "boolean"] } },
  synonyms: SYNONYMS,
};
