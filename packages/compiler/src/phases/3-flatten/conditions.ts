import { toRecord } from "@hasp/base/json";
import {
  flagsOfRow,
  VARYING_FLAGS,
  FAIL_CLOSED_DEFAULTS,
  FIELD_ENTRIES,
  FIELDS,
  strictest,
  type FlagValues,
} from "@hasp/runtime/contract";
import type { Classification } from "@hasp/runtime";
import type { JsonSchema } from "@hasp/schema";
import { type Diagnostic, placeInText } from "@hasp/base/diagnostics";
import type { FlatCheck, FlatFlag, FlatRule, ToolModel, WorstCase } from "../../model/tool.js";
import { compileDestination, createPredicateCompiler } from "../../cel/compile-predicate.js";
import type { CompiledExpression, CompiledPredicate } from "../../model/conditions.js";
import type { PredicateProblem } from "../../cel/check/messages.js";
import { flattenDiagnostics } from "./diagnostics.js";

interface CompiledConditions {
  readonly rules: readonly FlatRule[];
  readonly flags: readonly FlatFlag[];
  readonly checks: readonly FlatCheck[];
  readonly destination?: CompiledExpression;
  readonly customFunctions: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

export function compileConditions(tool: ToolModel, input: JsonSchema): CompiledConditions {
  const diagnostics: Diagnostic[] = [];
  const customFunctions = new Set<string>();
  let compile: ReturnType<typeof createPredicateCompiler> | undefined;
  const custom = (name: string): CompiledPredicate => {
    customFunctions.add(name);
    return { kind: "custom", name };
  };
  const report = (problems: readonly PredicateProblem[], source: string, pointer: string): void => {
    for (const { parameters, start, end } of problems) {
      const location = placeInText(tool.document, tool.locate(pointer), source, { start, end });
      diagnostics.push(flattenDiagnostics("predicate", location, parameters, { tool: tool.name }));
    }
  };
  const expression = (source: string, pointer: string): CompiledPredicate | undefined => {
    compile ??= createPredicateCompiler(input);
    const { predicate, problems } = compile(source);
    report(problems, source, pointer);
    return predicate;
  };

  const rules: FlatRule[] = [];
  for (const [index, rule] of (tool.spec.concurrency?.rules ?? []).entries()) {
    const when =
      rule.custom === undefined ? expression(rule.when ?? "", `/concurrency/rules/${index}/when`) : custom(rule.custom);
    if (when !== undefined) rules.push({ index, when, class: rule.class, ...flagsOfRow(rule) });
  }

  const { key } = tool.spec.concurrency ?? {};
  // A key reads one member, which must be declared.
  if (key !== undefined) expression(`has(${key.replace(/^\w+\(|\)$/gu, "")})`, "/concurrency/key");

  const flags: FlatFlag[] = [];
  for (const flag of VARYING_FLAGS) {
    const value = tool.spec.behavior?.[flag];
    if (typeof value !== "object") continue;
    if ("custom" in value) flags.push({ flag, polarity: "when", predicate: custom(value.custom) });
    else {
      const [polarity, source] =
        "when" in value ? (["when", value.when] as const) : (["unless", value.unless] as const);
      const predicate = expression(source, `/behavior/${flag}/${polarity}`);
      if (predicate !== undefined) flags.push({ flag, polarity, predicate });
    }
  }

  const { destination: source } = tool.spec.behavior ?? {};
  const { compiled: destination, problems = [] } = source === undefined ? {} : compileDestination(source, input);
  report(problems, source ?? "", "/behavior/destination");

  const checks: FlatCheck[] = [];
  for (const [index, check] of (tool.spec.validate ?? []).entries()) {
    if ("custom" in check) checks.push({ index, that: custom(check.custom) });
    else {
      const that = expression(check.that, `/validate/${index}/that`);
      if (that !== undefined) checks.push({ index, that, message: check.message });
    }
  }

  const { visibility: { describe } = {}, needs } = tool.spec;
  if (describe !== undefined) {
    customFunctions.add(describe.custom);
    if ((needs?.context ?? []).length === 0) {
      const location = tool.locate("/visibility/describe", "key");
      diagnostics.push(flattenDiagnostics("describes-no-context", location, undefined, { tool: tool.name }));
    }
  }
  return {
    rules,
    flags,
    checks,
    ...(destination && { destination }),
    customFunctions: [...customFunctions],
    diagnostics,
  };
}

/** Returns the strictest classification of any call, which is what static hints must state. */
export function findWorstCase(tool: ToolModel, rules: readonly FlatRule[]): WorstCase {
  const classifications = classificationsOf(tool, rules);
  const flags = FIELD_ENTRIES.filter(
    ({ group, field }) => group === "behavior" && (field.varies === true || field.hint !== undefined),
  ).map(({ name, field }) => {
    const values = classifications.map(
      (classification) => ({ ...tool.metadata.behavior, ...classification })[name as keyof FlagValues],
    );
    // `withKey` is safe only for callers that send the key, and readers of hints do not.
    return [name, strictest(field, values) === true];
  });
  return {
    class: strictest(
      FIELDS.concurrency.class,
      classifications.map((classification) => classification.class),
    ),
    ...Object.fromEntries(flags),
  } as WorstCase;
}

/** Lists the possible classifications of a call. If a condition fails, every flag that any row sets is strict. */
function classificationsOf({ metadata }: ToolModel, rules: readonly FlatRule[]): readonly Classification[] {
  const own: Classification = { class: metadata.concurrency.class, ...metadata.behavior };
  const classifications = [own, ...rules.map((rule) => ({ ...own, ...rule }))];
  if (!rules.some(mayFail)) return classifications;
  const named = VARYING_FLAGS.filter((flag) => rules.some((rule) => rule[flag] !== undefined));
  const failed = toRecord(named, (flag) => FAIL_CLOSED_DEFAULTS.behavior[flag]);
  return [...classifications, { ...own, ...failed, class: FAIL_CLOSED_DEFAULTS.concurrency.class }];
}

/** Helpers that never throw on valid input: the compiler has proved that what they read is present. */
const SAFE_HELPERS: ReadonlySet<string> = new Set(["member", "hasMember"]);

/** True if a condition may throw: custom functions may, as may expressions beyond comparisons of present fields. */
function mayFail({ when }: FlatRule): boolean {
  return when.kind === "custom" || when.helpers.some((helper) => !SAFE_HELPERS.has(helper));
}
