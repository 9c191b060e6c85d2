import { canonicalText, type JsonValue } from "@hasp/schema";
import { FIELD_ENTRIES, isLooser, VARYING_FLAGS, type FieldEntry } from "@hasp/runtime";
import type { Diagnostic, Location } from "../diagnostics/diagnostic.js";
import { locateClaim } from "../ledger/check-ledger.js";
import { ownMember } from "../model/own.js";
import type { FlatTool, Relaxation } from "../model/tool.js";
import {
  boundedValidator,
  givenInputs,
  holds,
  sampleInputs,
  shortText,
  testedFields,
  type Expression,
} from "../cel/index.js";
import { classifierOf } from "../spec-tests/classify.js";
import { checkText } from "./compare-input.js";
import { diffDiagnostics } from "./diagnostics.js";
import { obstaclesTo } from "./inclusion/index.js";

/**
 * What is milder than it was: own values, rows of the decision table, flags that vary, open objects, gates and checks.
 */
export function compareSafety(before: FlatTool, after: FlatTool): readonly Diagnostic[] {
  const own = loosenedFields(before, after);
  return [
    ...own.flatMap(({ diagnostic }) => diagnostic ?? []),
    ...loosenedCalls(before, after, new Set(own.map(({ name }) => name))),
    ...openedObjects(before, after),
    ...guardsGone(before, after),
  ];
}

/** Every claim of a tool that was not there before. */
export function addedClaims(tool: FlatTool): readonly Diagnostic[] {
  return tool.relaxations.map((relaxation) => claimAdded(tool, relaxation));
}

function claimAdded(tool: FlatTool, relaxation: Relaxation): Diagnostic {
  return diffDiagnostics(
    "claim-added",
    locateClaim(tool, relaxation),
    { claim: relaxation.claim },
    { tool: tool.name },
  );
}

interface LoosenedField {
  /** Such as `isDestructive`. */
  readonly name: string;
  /** `undefined` for what a milder class entails: it is one claim with the class. */
  readonly diagnostic: Diagnostic | undefined;
}

function loosenedFields(before: FlatTool, after: FlatTool): readonly LoosenedField[] {
  const valueIn = ({ metadata }: FlatTool, { group, name }: FieldEntry): unknown => ownMember(metadata[group], name);
  const looser = FIELD_ENTRIES.filter((entry) => isLooser(entry.field, valueIn(after, entry), valueIn(before, entry)));
  return looser.map((entry) => {
    const { group, name, path } = entry;
    const isWritten = Object.hasOwn(after.spec[group] ?? {}, name);
    const isEntailed =
      !isWritten && after.stated.has(path) && looser.some((other) => other.path === "concurrency.class");
    const location =
      isWritten || !Object.hasOwn(after.spec, group)
        ? after.locate(isWritten ? `/${group}/${name}` : "/name")
        : after.locate(`/${group}`, "key");
    const parameters = {
      field: path,
      before: String(valueIn(before, entry)),
      after: String(valueIn(after, entry)),
    };
    const diagnostic = diffDiagnostics("loosened", location, parameters, { tool: after.name });
    return { name, diagnostic: isEntailed ? undefined : diagnostic };
  });
}

/** The fields that may differ from call to call. */
const CALL_FIELDS = FIELD_ENTRIES.filter(({ field }) => field.perCall !== undefined);

/** Most inputs on which two decision tables are compared. */
const MOST_INPUTS = 20_000;

/**
 * Calls, valid before and now, that rows or varying flags treat more mildly; one finding for each row or flag that
 * decides so.
 */
function loosenedCalls(before: FlatTool, after: FlatTool, known: ReadonlySet<string>): readonly Diagnostic[] {
  if (conditionsOf(before) === conditionsOf(after)) return [];
  const expressions = [...expressionsOf(before), ...expressionsOf(after)];
  const given = [...givenInputs(before), ...givenInputs(after)];
  const wasValid = boundedValidator(before.input.schema, { defaults: true });
  const [judgeBefore, judgeAfter] = [classifierOf(before), classifierOf(after)];
  const found = new Map<string, Diagnostic>();
  let tried = 0;
  for (const input of sampleInputs(after.input.schema, expressions, given)) {
    tried += 1;
    if (tried > MOST_INPUTS) break;
    const { valid, value } = wasValid(input);
    if (!valid) continue;
    const [was, is] = [judgeBefore(value).answer, judgeAfter(input).answer];
    for (const { name, path, field } of CALL_FIELDS) {
      const [valueBefore, valueAfter] = [ownMember(was, name), ownMember(is, name)];
      if (known.has(name) || !isLooser(field, valueAfter, valueBefore)) continue;
      const pointer = decidedBy(after, input, name);
      if (found.has(pointer)) break;
      const parameters = {
        field: path,
        before: String(valueBefore),
        after: String(valueAfter),
        input: shortText(input),
      };
      found.set(pointer, diffDiagnostics("call-loosened", after.locate(pointer), parameters, { tool: after.name }));
      break;
    }
  }
  const isProved = isDecided(before, after, expressions) && tried <= MOST_INPUTS;
  const earlier = new Set(before.relaxations.map(({ claim }) => claim));
  const unseen = after.relaxations.filter(
    ({ claim, covers, pointer }) => covers.kind !== "input" && !earlier.has(claim) && !found.has(pointer),
  );
  const may = unseen.flatMap((relaxation) => {
    // Trying every combination of what the conditions read proves that no call is milder.
    if (isProved) return [];
    return diffDiagnostics(
      "call-may-be-loosened",
      locateClaim(after, relaxation),
      { claim: relaxation.claim },
      { tool: after.name },
    );
  });
  return [...found.values(), ...may];
}

/** The text of all that decides how a call is treated beside the tool's own values. */
function conditionsOf({ spec }: FlatTool): string {
  const flags = VARYING_FLAGS.map((flag) => spec.behavior?.[flag] ?? null);
  return canonicalText([spec.concurrency?.rules ?? [], flags]);
}

function expressionsOf({ rules, flags }: FlatTool): readonly Expression[] {
  return [...rules.map(({ when }) => when), ...flags.map(({ predicate }) => predicate)].flatMap((predicate) =>
    predicate.kind === "expression" ? [predicate.expression] : [],
  );
}

/**
 * Whether the inputs that were tried stand for all others: every condition is an expression over fields with few
 * answers.
 */
function isDecided(before: FlatTool, after: FlatTool, expressions: readonly Expression[]): boolean {
  const hasFunction = [before, after].some(({ rules, flags }) =>
    [...rules.map(({ when }) => when), ...flags.map(({ predicate }) => predicate)].some(
      ({ kind }) => kind === "custom",
    ),
  );
  const isSameInput = obstaclesTo(before.input.schema, after.input.schema).length === 0;
  return !hasFunction && isSameInput && testedFields(expressions, after.input.schema).isExhaustive;
}

/** The row or the flag that decides a field of a call. */
function decidedBy(tool: FlatTool, input: JsonValue, field: string): string {
  if (field !== "class" && tool.flags.some(({ flag }) => flag === field)) return `/behavior/${field}`;
  const row = tool.rules.find(({ when }) => when.kind === "expression" && holds(when, input));
  if (row !== undefined) return `/concurrency/rules/${row.index}`;
  return tool.spec.concurrency?.rules === undefined ? "/name" : "/concurrency/rules";
}

function openedObjects(before: FlatTool, after: FlatTool): readonly Diagnostic[] {
  const known = new Set(before.relaxations.map(({ claim }) => claim));
  return after.relaxations
    .filter(({ claim, pointer }) => pointer.startsWith("/input") && !known.has(claim))
    .map((relaxation) => claimAdded(after, relaxation));
}

function guardsGone(before: FlatTool, after: FlatTool): readonly Diagnostic[] {
  const gate = before.spec.visibility?.featureGate;
  const details = { tool: after.name };
  const at: Location = after.locate(
    after.spec.visibility?.featureGate === undefined ? "/name" : "/visibility/featureGate",
  );
  const kept = new Set(after.checks.map(checkText));
  const gone = before.checks.map(checkText).filter((text) => !kept.has(text));
  return [
    ...(gate === undefined || gate === after.spec.visibility?.featureGate
      ? []
      : [diffDiagnostics("gate-gone", at, { gate }, details)]),
    ...gone.map((check) =>
      diffDiagnostics(
        "check-gone",
        after.locate(after.spec.validate === undefined ? "/name" : "/validate", "key"),
        { check },
        details,
      ),
    ),
  ];
}
