import type { JsonObject } from "@hasp/schema";
import { isObject } from "@hasp/base/json";
import type { Importer } from "./source/importer.js";
import { omitKeys, readString } from "./source/json-values.js";
import { translateInput } from "./entries/source-entry.js";
import { importToolList, findList, listMembers } from "./entries/tool-list.js";
import { JSON_SCHEMA } from "./translation/schema-dialect.js";

const TOOL_KEYS: ReadonlySet<string> = new Set(["type", "name", "description", "input_schema"]);

/** An importer of a Messages API request's `tools`. A `type` other than `custom` marks Anthropic's own tools. */
export const importAnthropic: Importer = {
  reads: "file",
  read: (source) =>
    importToolList(source, {
      kind: "anthropic",
      dialect: JSON_SCHEMA,
      shapes: `an array of tools with an "input_schema", or a request that has it under "tools"`,
      list(document) {
        const found = findList(document, ["tools"]);
        return (
          found &&
          listMembers(found).map((member) => ({
            ...member,
            providerTool: isObject(member.value) ? providerTool(member.value) : undefined,
          }))
        );
      },
      read({ value }, reader) {
        if (!isObject(value)) return undefined;
        const input = translateInput(value["input_schema"], "/input_schema", reader);
        return input === undefined
          ? undefined
          : { name: reader.name, description: value["description"], input, rest: omitKeys(value, TOOL_KEYS) };
      },
    }),
};

function providerTool({ type, name, mcp_server_name: server }: JsonObject): string | undefined {
  if (type === undefined || type === null || type === "custom") return undefined;
  return readString(name) ?? readString(server) ?? String(type);
}
