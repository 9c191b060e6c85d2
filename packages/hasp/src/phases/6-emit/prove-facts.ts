import { FAIL_CLOSED_DEFAULTS, READ_ONLY_ENTAILS } from "@hasp/runtime";
import type { JsonObject, JsonValue } from "@hasp/schema";
import type { FlatTool } from "../../model/tool.js";
import { fault } from "./fault.js";

/**
 * Each fact that the spec leaves out has its strict value in a file, each that it states or its class entails has that one.
 * Held against the spec itself, so that a fault of the phases between is found as well.
 */
export function proveFacts(tool: FlatTool, written: JsonValue | undefined, path: string): void {
  const facts = leaves(written ?? null);
  const defaults = leaves(FAIL_CLOSED_DEFAULTS as unknown as JsonObject);
  for (const [field, strict] of defaults) {
    const expected = statedIn(tool, field) ?? strict;
    if (!facts.has(field) || facts.get(field) !== expected) {
      fault(path, `${field} is ${JSON.stringify(facts.get(field))} there, not ${JSON.stringify(expected)}`);
    }
  }
  if (facts.size !== defaults.size) fault(path, "it holds facts that the table of defaults does not know");
}

/** No static hint of a tool is milder than its facts, or than a row of its table. */
export function proveWorstCase({ metadata, rules, worstCase }: FlatTool, path: string): void {
  const { behavior } = metadata;
  const every = [behavior, ...rules.map((row) => ({ ...behavior, ...row }))];
  const isMilder =
    (worstCase.isReadOnly && !every.every(({ isReadOnly }) => isReadOnly)) ||
    (!worstCase.isDestructive && every.some(({ isDestructive }) => isDestructive)) ||
    (worstCase.isIdempotent && !every.every(({ isIdempotent }) => isIdempotent === true)) ||
    (!worstCase.isOpenWorld && behavior.isOpenWorld) ||
    (!worstCase.requiresPermission && every.some(({ requiresPermission }) => requiresPermission)) ||
    [metadata, ...rules.map((row) => ({ concurrency: row }))].some(({ concurrency }) => mildness[worstCase.class] > mildness[concurrency.class]);
  if (isMilder) fault(path, "a static hint is milder than what some call may be");
}

const mildness = { UNSAFE: 0, WRITE_EXCLUSIVE: 1, READ_ONLY: 2 } as const;

/** What the spec says of a field, or its class entails; nothing where the value varies from call to call. */
function statedIn({ spec }: FlatTool, field: string): JsonValue | undefined {
  const [group = "", name = ""] = field.split(".");
  const stated = own(own(spec, group), name);
  if (stated === undefined && group === "behavior" && spec.concurrency?.class === "READ_ONLY") return own(READ_ONLY_ENTAILS, name) as JsonValue | undefined;
  return typeof stated === "object" ? undefined : (stated as JsonValue | undefined);
}

function own(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

/** The scalars of nested objects by their dotted path. */
function leaves(value: JsonValue, path = ""): ReadonlyMap<string, JsonValue> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return new Map([[path, value]]);
  return new Map(Object.entries(value).flatMap(([key, inner]) => [...leaves(inner, path === "" ? key : `${path}.${key}`)]));
}
