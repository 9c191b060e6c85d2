import {
  pickMembers,
  toObject,
  canonicalText,
  isObject,
  parsePointer,
  own,
  readOwnMember,
  mapMembers,
} from "@hasp/base/json";
import type { JsonObject, JsonValue } from "@hasp/schema";
import { walkSchema } from "@hasp/schema/vocabulary";
import { FIELD_ENTRIES, isLooser, VARYING_FLAGS, type FieldEntry } from "@hasp/runtime/contract";
import { listGivenInputs, holds, shortText } from "../cel/decision-table.js";
import { createInputSampler, findTestedFields } from "../cel/samples/sample-inputs.js";
import type { CompiledPredicate, Expression } from "../model/conditions.js";
import { type Diagnostic, joinList } from "@hasp/base/diagnostics";
import { locateClaim } from "../ledger/claims.js";
import { pickRepairs, repairsMore } from "../model/inclusion/repairs.js";
import { createInputValidator, removeAnnotations } from "../model/schemas.js";
import type { FlatRule, FlatTool } from "../model/tool.js";
import { mayAllow, type Grant } from "../policies/grants.js";
import { createClassifier, type KnownAnswers } from "../run/classify.js";
import { createPropertiesPointer } from "./compare-input.js";
import { describeSearch } from "./describe-search.js";
import { diffDiagnostics } from "./diagnostics.js";
import { findObstacles } from "../model/inclusion/find-obstacles.js";

/** The fields that a row or a condition decides, the permission first: it says whether anybody is asked. */
const CALL_FIELDS = FIELD_ENTRIES.filter(({ field }) => field.varies === true).toSorted(
  (left, right) => Number(right.name === "requiresPermission") - Number(left.name === "requiresPermission"),
);

const MOST_INPUTS = 20_000;
/** Maximum number of handler functions whose answers are tried in all combinations. */
const MOST_FUNCTIONS = 4;

/** Compares how two versions answer the same calls. Skips fields in `known`, which are reported already. */
export function compareCalls(
  before: FlatTool,
  after: FlatTool,
  known: ReadonlySet<string>,
  grants: readonly Grant[],
): readonly Diagnostic[] {
  const isSameTable = conditionsOf(before) === conditionsOf(after);
  if (isSameTable && meaningOf(before) === meaningOf(after)) return [];
  const expressions = [...expressionsOf(before), ...expressionsOf(after)];
  const assignments = assignmentsOf([before, after]);
  const validate = [before, after].map(createInputValidator);
  const [wasValid, isValid] = validate;
  const [answerBefore, answerAfter] = [createClassifier(before), createClassifier(after)];
  const found = createFindings(after);
  const perhaps = createFindings(after);
  const valid: JsonValue[] = [];
  const judged: JsonValue[] = [];
  const declared = isApprovedAnew(after, grants) ? newlyDeclared(before, after) : new Set<string>();
  let widened: Diagnostic | undefined;
  let tried = 0;
  for (const input of callsToTry(before, after, expressions)) {
    tried += 1;
    if (tried > MOST_INPUTS) break;
    const now = isValid?.(input);
    if (now?.valid !== true) continue;
    valid.push(input);
    const earlier = wasValid?.(input);
    if (earlier?.valid === true) {
      judged.push(input);
      const calls = assignments.flatMap((answers): readonly LoosenedCall[] => {
        const [was, is] = [answerBefore(earlier.value, answers).answer, answerAfter(now.value, answers).answer];
        const entries = looserFields(is, was, known);
        return entries.length === 0 ? [] : [{ entries, was, is, input, value: now.value, answers }];
      });
      // Answers of handler functions are unknown here, so a loosening that depends on them is not proved.
      const target = calls.length === assignments.length ? found : perhaps;
      for (const call of calls.slice(0, 1)) target.add(call);
    } else if (widened === undefined) {
      // A newly declared property is not a dropped constraint if a person must approve it anyway.
      const reason = earlier?.errors.find(
        ({ keyword, pointer }) => !UNDECLARED.has(keyword) || !declared.has(parsePointer(pointer).at(-1) ?? ""),
      );
      const answers = reason === undefined ? [] : assignments.map((each) => answerAfter(now.value, each).answer);
      const is = answers.find((answer) => mildField(after, answer) !== undefined);
      const entry = is && mildField(after, is);
      const grant = grants.find((each) => answers.some((answer) => mayAllow(each, now.value as JsonValue, answer)));
      if (entry === undefined && grant === undefined) continue;
      const parameters = {
        field: entry?.path ?? `the policy of ${JSON.stringify(grant?.policy.toolset ?? "")}`,
        value: entry === undefined ? (grant?.claim ?? "") : String(readOwnMember(is, entry.name)),
        input: shortText(input),
        reason: reason?.message ?? "",
      };
      const location = after.input.locate(createPropertiesPointer(reason?.pointer ?? ""), "key");
      widened = diffDiagnostics("input-widened", location, parameters);
    }
  }
  const isUnchanged = isSameTable && !readsChangedDefault(before, after);
  const isProved =
    perhaps.diagnostics.length === 0 &&
    // The samples show nothing if no input fits both schemas.
    (isUnchanged || (judged.length > 0 && tried <= MOST_INPUTS && isDecided(before, after, expressions)));
  const unproved = isProved ? [] : unprovedCalls(before, after, found, judged);
  const may = unproved.length > 0 || found.diagnostics.length > 0 ? unproved : perhaps.diagnostics;
  return [
    ...found.diagnostics,
    ...may,
    ...(widened === undefined ? perhapsWidened(before, after, declared, grants.length > 0, valid) : [widened]),
  ];
}

/** The findings about looser calls: one for each new place that decides about a call. */
interface CallFindings {
  readonly diagnostics: readonly Diagnostic[];
  /** True if a finding reports a decision of this place. */
  tells(pointer: string): boolean;
  add(call: LoosenedCall): void;
}

function createFindings(tool: FlatTool): CallFindings {
  const diagnostics: Diagnostic[] = [];
  const told = new Set<string>();
  return {
    diagnostics,
    tells: (pointer) => told.has(pointer),
    add(call) {
      const pointers = call.entries.map((entry) => decidedBy(tool, entry, call));
      const untold = pointers.find((pointer) => !told.has(pointer));
      if (untold === undefined) return;
      for (const pointer of pointers) told.add(pointer);
      diagnostics.push(loosenedCall(tool, untold, call));
    },
  };
}

/** Reports why the new input may be wider, if some calls run unasked or by a milder row. */
function perhapsWidened(
  before: FlatTool,
  after: FlatTool,
  declared: ReadonlySet<string>,
  isGranted: boolean,
  tried: readonly JsonValue[],
): readonly Diagnostic[] {
  const answers = rowsOf(after).map(({ answer }) => answer);
  const isMild =
    isGranted || after.flags.length > 0 || answers.some((answer) => mildField(after, answer) !== undefined);
  if (!isMild) return [];
  const place = after.locate(after.spec.coerce === undefined ? "/name" : "/coerce", "key");
  const repaired = repairsMore(after.spec, before.spec)
    ? [
        diffDiagnostics("input-may-be-widened", place, {
          location: "the input",
          keyword: "coerce",
          search: describeSearch({ what: "call", tried, schema: after.input.schema }),
        }),
      ]
    : [];
  const widened = findObstacles(after.input.schema, before.input.schema)
    .filter(({ location }) => !parsePointer(location).some((name) => declared.has(name)))
    .map(({ location, keyword }) => {
      const search = describeSearch({ what: "call", tried, schema: after.input.schema, location });
      const at = after.input.locate(createPropertiesPointer(location), "key");
      const parameters = { location: location || "the input", keyword, search };
      return diffDiagnostics("input-may-be-widened", at, parameters);
    });
  return [...repaired, ...widened];
}

/** True if an approval covers the whole input and therefore ends when the tool accepts more. */
function isApprovedAnew({ relaxations }: FlatTool, grants: readonly Grant[]): boolean {
  return grants.length > 0 || relaxations.some(({ covers }) => covers.kind !== "rule");
}

function newlyDeclared(before: FlatTool, after: FlatTool): ReadonlySet<string> {
  const [old, now] = [before, after].map(({ input }) => {
    const names = new Set<string>();
    JSON.stringify(input.schema, (key: string, value: unknown) => {
      if (key === "properties" && isObject(value)) for (const name of Object.keys(value)) names.add(name);
      return value;
    });
    return names;
  });
  return new Set([...(now ?? [])].filter((name) => old?.has(name) !== true));
}

const UNDECLARED: ReadonlySet<string> = new Set(["additionalProperties", "unevaluatedProperties"]);

interface LoosenedCall {
  /** Every field that is looser, the permission first. */
  readonly entries: readonly FieldEntry[];
  readonly was: object;
  readonly is: object;
  readonly input: JsonValue;
  readonly value: unknown;
  readonly answers: KnownAnswers;
}

function loosenedCall(tool: FlatTool, pointer: string, { entries, was, is, input }: LoosenedCall): Diagnostic {
  const changes = entries.map(
    ({ name, path }) => `${path} was ${String(readOwnMember(was, name))} and is now ${String(readOwnMember(is, name))}`,
  );
  const parameters = { changes: joinList(changes), input: shortText(input) };
  return diffDiagnostics("call-loosened", tool.locate(pointer), parameters);
}

/** Finds changes that may loosen calls although no such call was found. */
function unprovedCalls(
  before: FlatTool,
  after: FlatTool,
  found: CallFindings,
  tried: readonly JsonValue[],
): readonly Diagnostic[] {
  const search = describeSearch({ what: "call", tried, schema: after.input.schema });
  const earlier = new Set(before.relaxations.map(({ claim }) => claim));
  const unseen = after.relaxations.filter(
    ({ claim, covers, pointer }) => covers.kind !== "input" && !earlier.has(claim) && !found.tells(pointer),
  );
  if (unseen.length > 0) {
    return unseen.map((relaxation) =>
      diffDiagnostics("call-may-be-loosened", locateClaim(after, relaxation), { claim: relaxation.claim, search }),
    );
  }
  const changed = readsChangedDefault(before, after) ? before.rules[0] : undefined;
  const held = found.diagnostics.length > 0 ? undefined : (rowPassedBy(before, after) ?? changed);
  if (held === undefined) return [];
  const location = after.locate(after.spec.concurrency?.rules === undefined ? "/name" : "/concurrency/rules", "key");
  return [diffDiagnostics("row-passed-by", location, { row: textOf(held.when), search })];
}

const STRICT_ANSWER = Object.fromEntries(CALL_FIELDS.map(({ name, field }) => [name, field.strict]));

/** A row with its answer; the last one stands for the tool's own values and matches every call. */
interface Row {
  readonly text: string;
  readonly when: CompiledPredicate | undefined;
  readonly answer: object;
}

/**
 * Finds an earlier row that may have held calls which a milder row answers now. A new row is no milder if the earlier
 * table has it too and no stricter row before it is gone.
 */
function rowPassedBy(before: FlatTool, after: FlatTool): FlatRule | undefined {
  const [old, now] = [rowsOf(before), rowsOf(after)];
  const isMilder = (row: Row, than: Row): boolean => looserFields(row.answer, than.answer, new Set()).length > 0;
  const strict: Row = { text: "", when: undefined, answer: STRICT_ANSWER };
  for (const [index, row] of now.entries()) {
    const asked = new Set(now.slice(0, index).map(({ text }) => text));
    const at = old.findIndex((each) => each.text === row.text && !isMilder(row, each));
    const others = at === -1 ? old : old.slice(0, at);
    const passed = others.findIndex(
      (each) =>
        (at === -1 || !asked.has(each.text)) && (isMilder(row, each) || (mayThrow(each) && isMilder(row, strict))),
    );
    if (passed !== -1) return before.rules[passed];
  }
  return undefined;
}

function rowsOf(tool: FlatTool): readonly Row[] {
  const answerOf = (rules: readonly FlatRule[]): object => {
    const always = rules.map((rule) => ({ ...rule, when: { kind: "custom" as const, name: "always" } }));
    return createClassifier({ ...tool, rules: always, flags: [] })({}, new Map([["always", true]])).answer;
  };
  return [
    ...tool.rules.map((rule) => ({ text: textOf(rule.when), when: rule.when, answer: answerOf([rule]) })),
    { text: "", when: undefined, answer: answerOf([]) },
  ];
}

function textOf(predicate: CompiledPredicate): string {
  return predicate.kind === "custom" ? `custom: ${predicate.name}` : `when: ${predicate.source.trim()}`;
}

/** True if a condition may fail with an error, which gives the strict answer. */
function mayThrow({ when }: Row): boolean {
  return when !== undefined && (when.kind === "custom" || when.helpers.length > 0);
}

function looserFields(value: object, than: object, known: ReadonlySet<string>): readonly FieldEntry[] {
  return CALL_FIELDS.filter(
    ({ name, field }) => !known.has(name) && isLooser(field, readOwnMember(value, name), readOwnMember(than, name)),
  );
}

function mildField({ metadata }: FlatTool, answer: object): FieldEntry | undefined {
  return CALL_FIELDS.find(({ group, name, field }) => {
    const value = readOwnMember(answer, name);
    const strict = name === "requiresPermission" ? field.strict : readOwnMember(metadata[group], name);
    return isLooser(field, value, strict);
  });
}

/** True if a condition reads a property whose default changed: the same call may get another answer. */
function readsChangedDefault(before: FlatTool, after: FlatTool): boolean {
  const [old, now] = [before, after].map(({ input }) => defaultsOf(input.schema));
  const changed = [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])].filter(
    (name) => canonicalText(own(old ?? {}, name) ?? null) !== canonicalText(own(now ?? {}, name) ?? null),
  );
  return predicatesOf(before).some((predicate) =>
    predicate.kind === "custom"
      ? changed.length > 0
      : predicate.reads.some((pointer) => changed.includes(parsePointer(pointer)[0] ?? "")),
  );
}

function defaultsOf(schema: FlatTool["input"]["schema"]): JsonObject {
  if (typeof schema !== "object") return {};
  return mapMembers(schema.properties ?? {}, (property) => {
    const found: [string, JsonValue][] = [];
    walkSchema(property, ({ schema: each, pointer }) => {
      if (typeof each === "object" && each.default !== undefined) found.push([pointer, each.default]);
    });
    return found;
  });
}

/** Generates inputs on which the tables may differ: as they are, and without properties that have a default. */
function* callsToTry(before: FlatTool, after: FlatTool, expressions: readonly Expression[]): Iterable<JsonValue> {
  const given = [...listGivenInputs(before), ...listGivenInputs(after)];
  const [old, now] = [before.input.schema, after.input.schema];
  const defaulted = [old, now].flatMap((schema) =>
    typeof schema === "object"
      ? Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
          typeof property === "object" && Object.hasOwn(property, "default") ? [name] : [],
        )
      : [],
  );
  const seen = new Set<string>();
  for (const sample of [createInputSampler(now, given, old), createInputSampler(old, given)]) {
    for (const input of sample(expressions)) {
      const reduced = isObject(input) ? defaulted.filter((name) => own(input, name) !== undefined) : [];
      for (const names of [[], ...reduced.map((name) => [name]), reduced]) {
        const value = names.length === 0 ? input : pickMembers(toObject(input), (name) => !names.includes(name));
        const text = JSON.stringify(value);
        if (seen.has(text)) continue;
        seen.add(text);
        yield value;
      }
    }
  }
}

function conditionsOf({ spec }: FlatTool): string {
  const flags = VARYING_FLAGS.map((flag) => spec.behavior?.[flag] ?? null);
  return canonicalText([spec.concurrency?.rules ?? [], flags]);
}

function meaningOf({ input, spec }: FlatTool): string {
  return canonicalText([removeAnnotations(input.schema), pickRepairs(spec)]);
}

function predicatesOf({ rules, flags }: FlatTool): readonly CompiledPredicate[] {
  return [...rules.map(({ when }) => when), ...flags.map(({ predicate }) => predicate)];
}

function expressionsOf(tool: FlatTool): readonly Expression[] {
  return predicatesOf(tool).flatMap((predicate) => (predicate.kind === "expression" ? [predicate.expression] : []));
}

/** Lists possible answers of the handler's functions, assumed to be the same in both versions. */
function assignmentsOf(tools: readonly FlatTool[]): readonly KnownAnswers[] {
  const names = [
    ...new Set(tools.flatMap(predicatesOf).flatMap((each) => (each.kind === "custom" ? [each.name] : []))),
  ];
  const combined = names.length <= MOST_FUNCTIONS ? names : [];
  const count = 2 ** combined.length;
  const assignments = Array.from(
    { length: count },
    (_, bits) => new Map(combined.map((name, index) => [name, ((bits >> index) & 1) === 1])),
  );
  if (combined.length === names.length) return assignments;
  return [true, false].map((answer) => new Map(names.map((name) => [name, answer])));
}

/** True if the tried inputs stand for all others: conditions read only fields with few values or call few functions. */
function isDecided(before: FlatTool, after: FlatTool, expressions: readonly Expression[]): boolean {
  const functions = new Set([before, after].flatMap(({ customFunctions }) => customFunctions));
  const isSameInput = findObstacles(before.input.schema, after.input.schema).length === 0;
  return (
    functions.size <= MOST_FUNCTIONS && isSameInput && findTestedFields(expressions, after.input.schema).isExhaustive
  );
}

function decidedBy(tool: FlatTool, entry: FieldEntry, { value, answers }: LoosenedCall): string {
  if (tool.flags.some(({ flag }) => flag === entry.name)) return `/behavior/${entry.name}`;
  const row = tool.rules.find(({ when }) =>
    when.kind === "expression" ? holds(when, value) : answers.get(when.name) === true,
  );
  if (row !== undefined) return `/concurrency/rules/${row.index}`;
  return tool.spec.concurrency?.rules === undefined ? "/name" : "/concurrency/rules";
}
