import type { JsonObject, JsonValue } from "@hasp/schema";
import { isList, isObject } from "@hasp/base/json";
import type { Importer } from "./source/importer.js";
import { omitKeys, readString } from "./source/json-values.js";
import { translateInput, type EntryReader } from "./entries/source-entry.js";
import type { SourceTool } from "./specs/source-tool.js";
import { importToolList, findList, listMembers, NO_PARAMETERS, type ToolListItem } from "./entries/tool-list.js";
import { JSON_SCHEMA } from "./translation/schema-dialect.js";

const TOOL_KEYS: ReadonlySet<string> = new Set(["type", "name", "description", "parameters", "output_schema"]);

/**
 * Reads the `tools` of OpenAI's Responses or Chat Completions API, or the older `functions`. Keeps what strict mode
 * marks as required and nullable: only the handler knows if null means "absent".
 */
export const importOpenai: Importer = {
  reads: "file",
  read: (source) =>
    importToolList(source, {
      kind: "openai",
      dialect: JSON_SCHEMA,
      shapes: `an array of tools of type "function", or a request that has it under "tools"`,
      list(document) {
        const found = findList(document, ["tools", "functions"]);
        return found && listMembers(found).flatMap(functionsIn);
      },
      read: ({ value }, reader) => (isObject(value) ? readFunction(value, reader) : undefined),
    }),
};

function functionsIn(member: ToolListItem): readonly ToolListItem[] {
  const { value, pointer } = member;
  if (!isObject(value)) return [member];
  const { type, function: inner, tools } = value;
  if (type === undefined || type === "custom") return [member];
  if (type === "function") return [isObject(inner) ? { value: inner, pointer: `${pointer}/function` } : member];
  if (type === "namespace" && isList(tools)) {
    return listMembers({ list: tools, pointer: `${pointer}/tools` }).flatMap(functionsIn);
  }
  return [{ ...member, providerTool: readString(value["name"]) ?? readString(value["server_label"]) ?? String(type) }];
}

function readFunction(value: JsonObject, reader: EntryReader): SourceTool | undefined {
  const { name, note, locate, translate } = reader;
  if (value["type"] === "custom") {
    note("free-text-tool", locate(""), { tool: name });
    return undefined;
  }
  const input = translateInput(value["parameters"] ?? NO_PARAMETERS, "/parameters", reader);
  if (input === undefined) return undefined;
  const nullable = value["strict"] === true ? nullableNames(input) : [];
  if (nullable.length > 0) note("strict-nullable", locate("/parameters"), { names: nullable });
  const schema = value["output_schema"];
  return {
    name,
    description: value["description"],
    input,
    output:
      schema === undefined || schema === null
        ? undefined
        : translate(schema, { role: "output", pointer: "/output_schema" }),
    rest: omitKeys(value, TOOL_KEYS),
  };
}

function nullableNames(input: JsonValue): readonly string[] {
  if (!isObject(input) || !isList(input["required"]) || !isObject(input["properties"])) return [];
  const { properties } = input;
  return input["required"].filter(
    (name): name is string =>
      typeof name === "string" && Object.hasOwn(properties, name) && takesNull(properties[name]),
  );
}

function takesNull(schema: JsonValue | undefined): boolean {
  if (!isObject(schema)) return false;
  const { type, anyOf } = schema;
  return (
    (isList(type) && type.includes("null")) ||
    (isList(anyOf) && anyOf.some((branch) => isObject(branch) && branch["type"] === "null"))
  );
}
