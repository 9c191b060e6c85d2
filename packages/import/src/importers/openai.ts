import type { JsonObject, JsonValue } from "@hasp/schema";
import { dropUndefined, isList, isObject, readOwnMember, toList, toObject } from "@hasp/base/json";
import type { Importer } from "./source/importer.js";
import { omitKeys, readString } from "./source/json-values.js";
import { translateInput, translateOutput, type EntryReader } from "./entries/source-entry.js";
import type { SourceTool } from "./specs/source-tool.js";
import { importToolList, findList, listMembers, NO_PARAMETERS, type ToolListItem } from "./entries/tool-list.js";
import { JSON_SCHEMA } from "./translation/schema-dialect.js";

const TOOL_KEYS: ReadonlySet<string> = new Set([
  "type",
  "name",
  "description",
  "parameters",
  "output_schema",
  "format",
  "namespace",
]);

/**
 * Reads the `tools` of OpenAI's Responses or Chat Completions API, or the older `functions`. Keeps what strict mode
 * marks as required and nullable: only the handler knows if null means "absent". A namespace becomes a tag.
 */
export const importOpenai: Importer = {
  reads: "file",
  read: (source) =>
    importToolList(source, {
      kind: "openai",
      dialect: JSON_SCHEMA,
      shapes: `an array of tools of type "function" or "custom", or a request that has it under "tools"`,
      list(document) {
        const found = findList(document, ["tools", "functions"]);
        return found && listMembers(found).flatMap((each) => functionsIn(each));
      },
      read: ({ value }, reader) => (isObject(value) ? readFunction(value, reader) : undefined),
    }),
};

/** Lists the tools of an entry: itself, what the Chat Completions API wraps, or the members of a namespace. */
function functionsIn(member: ToolListItem, namespace?: JsonValue): readonly ToolListItem[] {
  const { value, pointer } = member;
  if (!isObject(value)) return [member];
  const { type = "function", tools } = value;
  if (type === "namespace" && isList(tools)) {
    const members = listMembers({ list: tools, pointer: `${pointer}/tools` });
    return members.flatMap((each) => functionsIn(each, value["name"]));
  }
  if (type === "function" || type === "custom") {
    const inner = value[type];
    return isObject(inner)
      ? [{ value: dropUndefined({ ...inner, type, namespace }), pointer: `${pointer}/${type}` }]
      : [{ value: dropUndefined({ ...value, namespace }), pointer }];
  }
  return [{ ...member, providerTool: readString(value["name"]) ?? readString(value["server_label"]) ?? String(type) }];
}

/** Reads what a custom tool takes. The Chat Completions API wraps its grammar once more. No build takes other formats. */
function readText(format: JsonValue = { type: "text" }): JsonObject {
  const { type, grammar = format } = toObject(format);
  if (type === "text") return { type: "string" };
  const { syntax, definition } = toObject(grammar);
  return { type: "string", format: dropUndefined({ grammar: syntax, definition }) };
}

function readFunction(value: JsonObject, reader: EntryReader): SourceTool | undefined {
  const namespace = readString(value["namespace"]);
  const given = {
    name: reader.name,
    description: value["description"],
    tags: namespace === undefined ? undefined : [namespace],
    rest: omitKeys(value, TOOL_KEYS),
  };
  if (value["type"] === "custom") return { ...given, input: readText(value["format"]) };
  const input = translateInput(value["parameters"] ?? NO_PARAMETERS, "/parameters", reader);
  if (input === undefined) return undefined;
  const nullable = value["strict"] === true ? nullableNames(input) : [];
  if (nullable.length > 0) reader.note("strict-nullable", reader.locate("/parameters"), { names: nullable });
  return { ...given, input, output: translateOutput(value["output_schema"], "/output_schema", reader) };
}

function nullableNames(input: JsonValue): readonly string[] {
  const { required, properties } = toObject(input);
  return toList(required).flatMap((name) => {
    const { type, anyOf } = toObject(typeof name === "string" ? readOwnMember(properties, name) : undefined);
    const types = [type, ...toList(anyOf).map((branch) => toObject(branch)["type"])];
    return types.flat().includes("null") ? [String(name)] : [];
  });
}
