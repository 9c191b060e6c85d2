import type { JsonObject, JsonValue } from "@hasp/schema";
import { isList, isObject } from "@hasp/base/json";
import type { Importer } from "./source/importer.js";
import type { EntryReader } from "./entries/source-entry.js";
import { omitKeys } from "./source/json-values.js";
import type { SourceTool } from "./specs/source-tool.js";
import { importToolList, findList, listMembers, NO_PARAMETERS, type ToolListItem } from "./entries/tool-list.js";
import { withObjectRoot } from "./translation/object-type.js";
import { GEMINI, JSON_SCHEMA } from "./translation/schema-dialect.js";

/** Protocol buffer JSON allows both spellings of a key. */
const SPELLINGS = {
  declarations: ["functionDeclarations", "function_declarations"],
  parameters: ["parameters"],
  parametersJson: ["parametersJsonSchema", "parameters_json_schema"],
  response: ["response"],
  responseJson: ["responseJsonSchema", "response_json_schema"],
} as const;
const TOOL_KEYS: ReadonlySet<string> = new Set(["name", "description", ...Object.values(SPELLINGS).flat()]);

/**
 * Reads the `tools` of a request to Gemini, or an array of function declarations. `parameters` use Gemini's own
 * dialect, `parametersJsonSchema` JSON Schema.
 */
export const importGemini: Importer = {
  reads: "file",
  read: (source) =>
    importToolList(source, {
      kind: "gemini",
      dialect: GEMINI,
      shapes: `an array of "functionDeclarations", of tools that hold them, or a request that has them under "tools"`,
      list(document) {
        const found = findList(document, ["tools", ...SPELLINGS.declarations]);
        return found && listMembers(found).flatMap(declarationsIn);
      },
      read: ({ value }, reader) => (isObject(value) ? readDeclaration(value, reader) : undefined),
    }),
};

function declarationsIn(member: ToolListItem): readonly ToolListItem[] {
  const { value, pointer } = member;
  if (!isObject(value) || Object.hasOwn(value, "name")) return [member];
  return Object.entries(value).flatMap(([key, inner]): readonly ToolListItem[] => {
    const at = `${pointer}/${key}`;
    const isDeclarations = SPELLINGS.declarations.some((spelling) => spelling === key);
    return isDeclarations && isList(inner)
      ? listMembers({ list: inner, pointer: at })
      : [{ value: inner, pointer: at, providerTool: key }];
  });
}

function readDeclaration(value: JsonObject, reader: EntryReader): SourceTool | undefined {
  const { name, note, locate, translate } = reader;
  const schemaOf = (
    role: "input" | "output",
    own: readonly string[],
    json: readonly string[],
  ): JsonValue | undefined => {
    const key = [...own, ...json].find((spelling) => value[spelling] !== undefined && value[spelling] !== null);
    if (key === undefined) return role === "input" ? NO_PARAMETERS : undefined;
    return translate(value[key] ?? true, {
      role,
      pointer: `/${key}`,
      dialect: own.includes(key) ? GEMINI : JSON_SCHEMA,
    });
  };
  const input = schemaOf("input", SPELLINGS.parameters, SPELLINGS.parametersJson);
  if (input === undefined) return undefined;
  return {
    name,
    description: value["description"],
    input: withObjectRoot(input, { tool: name, note, locate: () => locate("") }),
    output: schemaOf("output", SPELLINGS.response, SPELLINGS.responseJson),
    rest: omitKeys(value, TOOL_KEYS),
  };
}
