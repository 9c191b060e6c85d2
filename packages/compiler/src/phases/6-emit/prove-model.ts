import { HINTS, isOwnDialect } from "../../model/dialect.js";
import { entailedBy, FAIL_CLOSED_DEFAULTS, FIELD_ENTRIES, isLooser } from "@hasp/runtime/contract";
import { dialects, isStrict, type JsonObject, type JsonValue, strictVariant } from "@hasp/schema";
import { isObject, readOwnMember, isSameJson } from "@hasp/base/json";
import { takesBareText } from "../../free-text/input.js";
import type { LoweredTool, ToolForm } from "../../model/lowered.js";
import type { FlatTool, StaticFlag } from "../../model/tool.js";
import { expandReferences } from "../5-lower/hoist.js";

/** Proves that each field, hint and entry of a tool is as strict as its spec. Throws otherwise, which is a bug in hasp. */
export function proveModel({ tool, forms }: { readonly tool: FlatTool; readonly forms: readonly ToolForm[] }): void {
  proveFields(tool);
  proveWorstCase(tool);
  for (const form of forms) if (form.kind === "listed") proveEntry(form.lowered);
}

/** Proves that each field has the value that the spec states or its class entails, and otherwise the strict one. */
function proveFields(tool: FlatTool): void {
  for (const [group, defaults] of Object.entries(FAIL_CLOSED_DEFAULTS)) {
    for (const [name, strict] of Object.entries(defaults)) {
      const found = readOwnMember(readOwnMember(tool.metadata, group), name);
      const expected = statedIn(tool, group, name) ?? strict;
      if (found !== expected) {
        fault(tool, `${group}.${name} is ${JSON.stringify(found)} there, not ${JSON.stringify(expected)}`);
      }
    }
  }
}

/** Returns a field's value that the spec states or its class entails; `undefined` if it varies by call. */
function statedIn({ spec }: FlatTool, group: string, name: string): unknown {
  const stated = readOwnMember(readOwnMember(spec, group), name);
  if (stated === undefined && group === "behavior") return readOwnMember(entailedBy(spec.concurrency?.class), name);
  return typeof stated === "object" ? undefined : stated;
}

/** Proves that no static hint of a tool is milder than its fields or a row of its table. */
function proveWorstCase(tool: FlatTool): void {
  const { metadata, rules, worstCase } = tool;
  const calls = [{}, ...rules].map((row) => ({ ...metadata.concurrency, ...metadata.behavior, ...row }));
  const isMilder = Object.entries(worstCase).some(([name, hint]) =>
    FIELD_ENTRIES.some(
      (entry) => entry.name === name && calls.some((call) => isLooser(entry.field, hint, readOwnMember(call, name))),
    ),
  );
  if (isMilder) fault(tool, "a static hint is milder than what some call may be");
}

/** Proves that the hints of a list entry are those of the tool. Providers take them at the top or one level below. */
function proveEntry(lowered: LoweredTool): void {
  const { tool, definition, dialect, hoisted } = lowered;
  for (const { schema, whole } of hoisted) {
    if (!isSameJson(expandReferences(schema), whole as JsonValue)) {
      fault(tool, `the definitions of its ${dialect} entry differ from what was lowered`);
    }
  }
  const { worstCase, metadata } = tool;
  const expected: JsonObject = {
    // A plugin's entry states strictness in its own way.
    ...(isOwnDialect(dialect) ? { strict: isStrict(dialect) } : {}),
    defer_loading: metadata.visibility.load === "deferred",
    ...Object.fromEntries(Array.from(HINTS, ([hint, { name }]) => [hint, worstCase[name as StaticFlag]])),
  };
  const said = [definition, ...Object.values(definition).filter(isObject)].flatMap((each) => Object.entries(each));
  for (const [field, value] of said) {
    if (Object.hasOwn(expected, field) && value !== expected[field]) {
      const words = `${JSON.stringify(value)} in its ${dialect} entry, not ${JSON.stringify(expected[field])}`;
      fault(tool, `${field} is ${words}`);
    }
  }
  const missing = fieldsToState(lowered).find((field) => !said.some(([each]) => each === field));
  if (missing !== undefined) fault(tool, `${missing} is missing from its ${dialect} entry`);
}

/** Lists the fields that an entry must state, since clients choose their own defaults. */
function fieldsToState({ tool, dialect }: LoweredTool): readonly string[] {
  // No strict mode applies to bare text.
  if (!isOwnDialect(dialect) || takesBareText(tool.spec, dialects[dialect])) return [];
  const { family } = dialects[dialect];
  if (family === "mcp") return [...HINTS.keys()];
  // Cohere's strict mode is a request key; a key on the tool is refused.
  const strict = strictVariant(dialect) === undefined || family === "cohere" ? [] : ["strict"];
  return family === "anthropic" && tool.metadata.visibility.load === "deferred" ? [...strict, "defer_loading"] : strict;
}

function fault({ name }: FlatTool, problem: string): never {
  throw new Error(`hasp compiled ${name} incorrectly: ${problem}. Nothing was written; please report this bug.`);
}
