import { appendToPointer, canonicalText, escapeToken, parsePointer, own } from "@hasp/base/json";
import {
  createValidator,
  type JsonSchema,
  type JsonValue,
  type SchemaObject,
  type ValidationError,
  type Validator,
} from "@hasp/schema";
import { type Diagnostic, excerpt } from "@hasp/base/diagnostics";
import { sampleValues } from "@hasp/schema/internal/generate";
import type { FlatTool } from "../model/tool.js";
import { listGivenInputs, holds, shortText } from "../cel/decision-table.js";
import { createInputSampler } from "../cel/samples/sample-inputs.js";
import { describeSearch } from "./describe-search.js";
import { diffDiagnostics } from "./diagnostics.js";
import { findObstacles } from "../model/inclusion/find-obstacles.js";
import { createInputValidator } from "../model/schemas.js";

export function compareInputs(before: FlatTool, after: FlatTool): readonly Diagnostic[] {
  return [...refusedBySchema(before, after), ...refusedByChecks(before, after), ...changedDefaults(before, after)];
}

function refusedBySchema(before: FlatTool, after: FlatTool): readonly Diagnostic[] {
  const [old, now] = [before.input.schema, after.input.schema];
  const obstacles = findObstacles(old, now);
  if (obstacles.length === 0) return [];
  const accepted = acceptance(before);
  const candidates = [...listGivenInputs(before), ...listGivenInputs(after), ...sampleValues(old, { beside: now })];
  // A value that coercion repairs is accepted.
  const witnesses = findWitnesses(candidates, accepted, createInputValidator(after));
  const reread = findReread(candidates, accepted, before, after);
  const refused = witnesses.map(({ value, error }) => {
    const location = after.input.locate(error.schemaPointer, "key");
    return diffDiagnostics("input-refused", location, { input: shortText(value), reason: error.message });
  });
  const unproved = obstacles.filter(
    ({ location }) => !witnesses.some(({ error }) => isSameLocation(location, error.pointer)),
  );
  const tried = unproved.length === 0 ? [] : candidates.filter(accepted);
  const may = unproved.map(({ pointer, location, keyword }) => {
    const search = describeSearch({ what: "call", tried, schema: old, location });
    const parameters = { location: location || "the input", keyword, search };
    return diffDiagnostics("input-may-be-refused", after.input.locate(pointer, "key"), parameters);
  });
  return [...refused, ...reread, ...may];
}

/** Finds a call that both versions accept, the earlier one without coercion, and that coercion now changes. */
function findReread(
  candidates: readonly JsonValue[],
  accepted: (value: JsonValue) => boolean,
  before: FlatTool,
  after: FlatTool,
): readonly Diagnostic[] {
  const [old, now] = [before, after].map(({ input }) => createValidator(input.schema, { defaults: true }));
  const read = createInputValidator(after);
  for (const input of candidates) {
    const { valid, value } = read(input);
    if (!valid || now?.(input).valid === true || !accepted(input)) continue;
    const [was = "", is = ""] = [old?.(input).value, value].map((each) => canonicalText(each));
    if (was === is) continue;
    const parameters = { input: shortText(input), value: shortText(value as JsonValue) };
    return [diffDiagnostics("input-reread", after.locate("/input"), parameters)];
  }
  return [];
}

function acceptance(tool: FlatTool): (value: JsonValue) => boolean {
  const validate = createValidator(tool.input.schema, { maxErrors: 1 });
  return (value) => validate(value).valid && checksPass(tool, value);
}

function checksPass(tool: FlatTool, value: JsonValue): boolean {
  if (tool.checks.length === 0) return true;
  const filled = createValidator(tool.input.schema, { defaults: true })(value).value;
  return tool.checks.every(({ that }) => that.kind === "custom" || holds(that, filled));
}

function refusedByChecks(before: FlatTool, after: FlatTool): readonly Diagnostic[] {
  const known = new Set(before.checks.map(checkText));
  const added = after.checks.filter((check) => !known.has(checkText(check)));
  if (added.length === 0) return [];
  const accepted = acceptance(before);
  const fill = createInputValidator(after);
  return added.map((check) => {
    const location = after.locate(`/validate/${check.index}`);
    const { that } = check;
    const mayRefuse = (search: string): Diagnostic =>
      diffDiagnostics("check-may-refuse", location, { check: checkText(check), search });
    if (that.kind === "custom") return mayRefuse("Its function may answer anything.");
    const candidates = [
      ...listGivenInputs(before),
      ...createInputSampler(before.input.schema, listGivenInputs(before), after.input.schema)([that.expression]),
    ];
    const tried = candidates.filter(accepted);
    const witness = tried.find((candidate) => {
      const { valid, value } = fill(candidate);
      return valid && !holds(that, value);
    });
    if (witness === undefined) {
      return mayRefuse(describeSearch({ what: "call", tried, schema: before.input.schema }));
    }
    const reason = check.message ?? excerpt(checkText(check));
    return diffDiagnostics("input-refused", location, { input: shortText(witness), reason });
  });
}

export function checkText({ that }: FlatTool["checks"][number]): string {
  return that.kind === "custom" ? `custom: ${that.name}` : JSON.stringify(that.source.trim());
}

function changedDefaults(before: FlatTool, after: FlatTool): readonly Diagnostic[] {
  const printDefault = (schema: SchemaObject): string =>
    Object.hasOwn(schema, "default") ? canonicalText(schema.default) : "none";
  const earlier = new Map(before.input.nodes.map(({ pointer, schema }) => [pointer, printDefault(schema)]));
  return after.input.nodes.flatMap(({ pointer, schema }) => {
    const [was, is] = [earlier.get(pointer), printDefault(schema)];
    if (was === undefined || was === is) return [];
    const location = after.input.locate(is === "none" ? pointer : `${pointer}/default`, "key");
    return [diffDiagnostics("default-changed", location, { before: was, after: is })];
  });
}

/** Finds outputs that are valid only now: readers can rely on less. */
export function compareOutputs(before: FlatTool, after: FlatTool): readonly Diagnostic[] {
  if (before.output === undefined) return [];
  const { output } = after;
  if (output === undefined) return [diffDiagnostics("output-gone", after.locate("/name"))];
  const [old, now] = [before.output.schema, output.schema];
  const obstacles = findObstacles(now, old);
  const validate = createValidator(now, { maxErrors: 1 });
  const isValid = (value: JsonValue): boolean => validate(value).valid;
  const candidates = obstacles.length === 0 ? [] : [...sampleValues(now, { beside: old })];
  const witnesses = findWitnesses(candidates, isValid, createValidator(old));
  const weakened = witnesses.map(({ value, error }) =>
    diffDiagnostics("output-weakened", output.locate(createPropertiesPointer(error.pointer), "key"), {
      output: shortText(value),
      reason: error.message,
    }),
  );
  const unproved = obstacles.filter(
    ({ location }) => !witnesses.some(({ error }) => isSameLocation(location, error.pointer)),
  );
  const tried = unproved.length === 0 ? [] : candidates.filter(isValid);
  const may = unproved.map(({ location, keyword }) => {
    const search = describeSearch({ what: "output", tried, schema: now, location });
    const at = output.locate(createPropertiesPointer(location), "key");
    return diffDiagnostics("output-may-be-weakened", at, { location: location || "the output", keyword, search });
  });
  const told = [...witnesses.map(({ error }) => error.pointer), ...unproved.map(({ location }) => location)];
  const gone = fieldsGone(old, now, "").filter((location) => !told.some((each) => isSameLocation(location, each)));
  return [
    ...weakened,
    ...may,
    ...gone.map((location) => diffDiagnostics("output-field-gone", after.locate("/output", "key"), { location })),
  ];
}

/** Guesses the schema pointer of a location; `locate` falls back to the nearest existing one. */
export function createPropertiesPointer(location: string): string {
  return parsePointer(location)
    .map((token) => (/^(?:\*|\d+)$/u.test(token) ? "/items" : `/properties/${escapeToken(token)}`))
    .join("");
}

function fieldsGone(old: JsonSchema | undefined, now: JsonSchema | undefined, location: string): readonly string[] {
  if (typeof old !== "object" || typeof now !== "object") return [];
  const inside = Object.entries(old.properties ?? {}).flatMap(([name, property]) => {
    const at = appendToPointer(location, name);
    const kept = own(now.properties, name);
    return kept === undefined ? [at] : fieldsGone(property, kept, at);
  });
  const items = [old.items, now.items].map((each) =>
    Array.isArray(each) ? undefined : (each as JsonSchema | undefined),
  );
  return [...inside, ...fieldsGone(items[0], items[1], `${location}/*`)];
}

/** A value that the second version refuses. */
interface Witness {
  readonly value: JsonValue;
  readonly error: ValidationError;
}

const MOST_WITNESSES = 20;

/** Finds values that only the first version accepts: the shortest for each place and keyword. */
function findWitnesses(
  candidates: readonly JsonValue[],
  accepts: (value: JsonValue) => boolean,
  refuse: Validator,
): readonly Witness[] {
  const found = new Map<string, Witness & { readonly length: number }>();
  for (const value of candidates) {
    const { valid, errors } = refuse(value);
    const [error] = errors;
    // A candidate with a single error shows it best.
    if (valid || error === undefined || !accepts(value)) continue;
    const key = `${placeKey(error.pointer)} ${error.keyword}`;
    const { length } = JSON.stringify(value);
    const known = found.get(key);
    const isBetter = known === undefined || length < known.length;
    if (isBetter && (errors.length === 1 || known === undefined)) found.set(key, { value, error, length });
  }
  return [...found.values()].slice(0, MOST_WITNESSES).map(({ value, error }) => ({ value, error }));
}

// All items of a list count as one place.
const placeKey = (pointer: string): string =>
  parsePointer(pointer)
    .map((token) => (/^\d+$/u.test(token) ? "*" : token))
    .join("/");

/** True if two places match, where `*` is any item, or one contains the other. */
function isSameLocation(pattern: string, pointer: string): boolean {
  const [left, right] = [parsePointer(pattern), parsePointer(pointer)];
  return left
    .slice(0, right.length)
    .every((token, index) => token === "*" || token === right[index] || right[index] === "*");
}
