import { type Dialect, dialects, type JsonObject, type JsonValue, strictVariant, type WireTool } from "@hasp/schema";
import { isStructured, dropUndefined, escapeToken, isObject, isSameJson } from "@hasp/base/json";
import { findSuggestions, type Diagnostic, type Found } from "@hasp/base/diagnostics";
import { type PluginPlan, resolveDialect, ENTRY_PARTS, isClaim, isOwnDialect, nameDialect } from "@hasp/compiler/model";
import type { CompilePlan, DialectPlan } from "@hasp/compiler";
import { configDiagnostics } from "./diagnostics.js";

/** Finds the fields of `extra` that a dialect cannot add to its entries, since hasp sets them itself. */
export function findTakenFields(dialect: Dialect, extra: JsonObject): readonly string[] {
  const variants = new Set([dialect, ...strictOf(dialect)]);
  return Object.keys(extra).filter(
    (field) => isClaim(dialect, field, extra[field]) || [...variants].some((each) => !isAdded(each, field)),
  );
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

/** The words by which providers tell kinds of tools apart: they claim nothing about the tool. */
const KINDS: ReadonlySet<JsonValue> = new Set(["custom", "function", "tool"]);

interface FieldConstant {
  readonly field: string;
  readonly value: string;
}

/** Lists what an entry says of every tool alike, except for its kind. Texts such as `$name` stand for parts of the tool. */
function listConstants(value: JsonValue, field = ""): readonly FieldConstant[] {
  const members = isStructured(value) ? Object.entries(value) : [];
  if (members.length > 0) {
    return members.flatMap(([key, inner]) => listConstants(inner, field === "" ? key : `${field}.${key}`));
  }
  const isPart = ENTRY_PARTS.some((part) => value === `$${part}`);
  const isKind = /(?:^|\.)(?:kind|type)$/u.test(field) && KINDS.has(value);
  return isPart || isKind ? [] : [{ field, value: JSON.stringify(value) }];
}

/** Adds plugins to a plan, and their facts to each dialect and client that the plan names. */
export function withPlugins(plan: CompilePlan, plugins: readonly PluginPlan[]): Found<CompilePlan> {
  const known = plugins.flatMap((plugin) => plugin.dialects);
  const diagnostics: Diagnostic[] = [];
  const { locations = {} } = plan;
  const dialects = plan.dialects.map((dialect, index): DialectPlan => {
    const { id, extra = {} } = dialect;
    if (isOwnDialect(id)) return dialect;
    const location = locations[`/dialects/${index}`] ?? locations[`/dialects/${escapeToken(id)}`];
    const foreign = known.find((each) => each.id === id);
    if (foreign === undefined) {
      const nearest = findSuggestions(
        id,
        known.map((each) => each.id),
      );
      diagnostics.push(configDiagnostics("unknown-dialect", location, { dialect: id, nearest }));
      return dialect;
    }
    // Generated code names dialects without their hyphens and slashes.
    const twin = plan.dialects.find((each) => each.id !== id && nameDialect(each.id) === nameDialect(id));
    if (twin !== undefined) {
      diagnostics.push(configDiagnostics("similar-dialects", location, { dialect: id, twin: twin.id }));
    }
    for (const { field, value } of listConstants(foreign.entry)) {
      diagnostics.push(configDiagnostics("constant-in-entry", location, { dialect: id, field, value }));
    }
    const joined = { ...dialect, foreign };
    for (const field of findTakenFields(resolveDialect(joined), extra)) {
      diagnostics.push(configDiagnostics("taken-field", location, { field, dialect: id }));
    }
    return joined;
  });
  const clients = plan.clients?.map((client, index) => {
    const { id } = client;
    if (!id.includes("/")) return client;
    const others = new Map(plugins.flatMap((plugin) => plugin.clients.map((each) => [each.id, each])));
    const foreign = others.get(id);
    if (foreign !== undefined) return foreign;
    const nearest = findSuggestions(id, [...others.keys()]);
    diagnostics.push(configDiagnostics("unknown-client", locations[`/clients/${index}`], { client: id, nearest }));
    return client;
  });
  const added = { ...dropUndefined({ clients }), ...(plugins.length === 0 ? {} : { plugins }) };
  return { value: { ...plan, dialects, ...added }, diagnostics };
}
