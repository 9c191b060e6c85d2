import { answerBoolean } from "./callback.js";
import type { Classification, ConcurrencyRule, FlagClaim, ToolDefinition } from "./definition.js";
import {
  FAIL_CLOSED_DEFAULTS,
  flagsOfRow,
  VARYING_FLAGS,
  type FlagValues,
  type ToolMetadata,
  type VaryingFlag,
} from "./fields.js";

type ClassifiedDefinition = Pick<ToolDefinition<never, unknown, never>, "concurrency" | "behavior">;
type Flags = FlagValues;
type AnyRule = ConcurrencyRule<unknown>;

/** Creates the function that classifies a parsed input. A failing predicate gives the strict answer. */
export function createClassifier(
  definition: ClassifiedDefinition,
  metadata: ToolMetadata,
): (input: unknown) => Classification {
  const rules = [...(definition.concurrency?.rules ?? [])] as readonly unknown[] as readonly AnyRule[];
  const varying = listClaims(definition);
  const ownFlags = flagsOf(varying, metadata);
  const constant = Object.freeze({ class: metadata.concurrency.class, ...ownFlags(undefined) });
  if (rules.length === 0 && varying.length === 0) return () => constant;

  const rowAnswers = new Map(rules.map((rule) => [rule, flagsOfRow(rule)]));
  const onError = Object.freeze(strictOf(rules));
  return (input) => {
    const own = ownFlags(input);
    for (const rule of rules) {
      let matches: boolean;
      try {
        matches = answerBoolean(rule.when(input));
      } catch {
        return Object.freeze({ class: FAIL_CLOSED_DEFAULTS.concurrency.class, ...own, ...onError });
      }
      if (matches) return Object.freeze({ class: rule.class, ...own, ...rowAnswers.get(rule) });
    }
    return Object.freeze({ class: metadata.concurrency.class, ...own });
  };
}

/** True if a definition claims `false` for a flag and some input. */
export function isSometimesFalse(
  { concurrency, behavior }: ClassifiedDefinition,
  flag: "returnsUntrusted" | "returnsPrivate",
): boolean {
  const own = behavior?.[flag];
  return own === false || typeof own === "object" || (concurrency?.rules ?? []).some((rule) => rule[flag] === false);
}

/** Returns the strict value of every flag that any row names. */
function strictOf(rules: readonly AnyRule[]): Partial<Flags> {
  const names = rules.flatMap((rule) => Object.keys(flagsOfRow(rule)) as VaryingFlag[]);
  return Object.fromEntries(names.map((name) => [name, FAIL_CLOSED_DEFAULTS.behavior[name]]));
}

function varyingOf({ behavior }: ToolMetadata): Flags {
  return Object.fromEntries(VARYING_FLAGS.map((flag) => [flag, behavior[flag]])) as unknown as Flags;
}

function listClaims({ behavior }: ClassifiedDefinition) {
  return VARYING_FLAGS.flatMap((flag) => {
    const claim = behavior?.[flag];
    return typeof claim === "object" ? [{ flag, claim: claim as FlagClaim<boolean, unknown> & object }] : [];
  });
}

function flagsOf(varying: ReturnType<typeof listClaims>, metadata: ToolMetadata): (input: unknown) => Flags {
  const own = varyingOf(metadata);
  if (varying.length === 0) return () => own;
  return (input) => {
    const flags: Record<string, unknown> = { ...own };
    for (const { flag, claim } of varying) {
      flags[flag] = evaluateClaim(claim, input) ?? FAIL_CLOSED_DEFAULTS.behavior[flag];
    }
    return flags as unknown as Flags;
  };
}

/** Returns `undefined` if the predicate threw, or answered anything but true or false. */
function evaluateClaim(claim: FlagClaim<boolean, unknown> & object, input: unknown): boolean | undefined {
  try {
    return "when" in claim ? answerBoolean(claim.when(input)) : !answerBoolean(claim.unless(input));
  } catch {
    return undefined;
  }
}
