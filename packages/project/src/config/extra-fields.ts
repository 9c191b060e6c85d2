import { type Dialect, dialects, type JsonObject, type JsonValue, strictVariant, type WireTool } from "@hasp/schema";
import { isObject, isSameJson } from "@hasp/base/json";

/** Finds the fields of `extra` that a dialect cannot add to its entries, since hasp sets them itself. */
export function findTakenFields(dialect: Dialect, extra: JsonObject): readonly string[] {
  const variants = new Set([dialect, ...strictOf(dialect)]);
  return Object.keys(extra).filter((field) => [...variants].some((each) => !isAdded(each, field)));
}

function strictOf(dialect: Dialect): readonly Dialect[] {
  const strict = strictVariant(dialect);
  return strict === undefined ? [] : [dialects[strict]];
}

/** True if a field is added to every entry and changes nothing else in it. */
function isAdded({ wrap }: Dialect, field: string): boolean {
  return probes.every((probe) => {
    const [plain, extended] = [wrap(probe), wrap({ ...probe, extra: Object.fromEntries([[field, MARK]]) })];
    return isWithin(plain, extended) && marksIn(plain) === 0 && marksIn(extended) === 1;
  });
}

const MARK = "an added field";

/** Tools with every part that an entry can have, deferred and not. */
const probes: readonly WireTool[] = [true, false].map((deferred) => ({
  name: "probe",
  title: "Probe",
  description: "Probes.",
  input: { type: "object", properties: { a: { type: "string" } } },
  output: { type: "object", properties: { b: { type: "string" } } },
  strict: true,
  examples: [{ a: "b" }],
  deferred,
  hints: { readOnly: true, destructive: true, idempotent: true, openWorld: true },
}));

function isWithin(part: JsonValue, whole: JsonValue | undefined): boolean {
  if (whole === undefined) return false;
  if (!isObject(part) || !isObject(whole)) return isSameJson(part, whole);
  return Object.entries(part).every(([key, value]) => Object.hasOwn(whole, key) && isWithin(value, whole[key]));
}

function marksIn(value: JsonValue): number {
  return JSON.stringify(value).split(JSON.stringify(MARK)).length - 1;
}
