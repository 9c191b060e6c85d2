import {
  defineSchemaDiagnostics,
  type SchemaDiagnosticDetails,
  type SchemaDiagnosticFactory,
} from "../../diagnostics/define-diagnostics.js";
import { type Origin, type SchemaDiagnostic, formatMessage, type MessageParameters } from "@hasp/base/diagnostics";

const definitions = {
  unsatisfiable: "Nothing can satisfy this schema: {causes:clauses}. Loosen one of them.",
  "dead-property":
    'No valid input can contain "{name}": {causes:clauses}. Remove the property, or loosen what forbids it.',
  "dead-item": {
    severity: "warning",
    message: "No item can satisfy this schema: {causes:clauses}. Loosen one of them.",
  },
  recursive: {
    severity: "info",
    message: 'This schema contains itself; it stays as "#/$defs/{name}".',
  },
  residual: {
    severity: "warning",
    message: {
      format: '"format" stays in an "allOf": a schema has room for one format only.',
      pattern: '"pattern" stays in an "allOf": these patterns count groups and cannot be joined.',
      contains: '"contains" stays in an "allOf": each counts items of its own.',
      if: '"if" stays in an "allOf": a schema has room for one condition.',
      multipleOf: '"multipleOf" stays in an "allOf": their least common multiple is not an exact number.',
      additionalProperties: '"additionalProperties" stays in an "allOf": another schema\'s patterns overlap with it.',
      unevaluatedProperties:
        '"unevaluatedProperties" stays in an "allOf": it must not see the keywords beside its schema.',
      unevaluatedItems: '"unevaluatedItems" stays in an "allOf": it must not see the keywords beside its schema.',
    },
  },
  "too-many-branches": {
    severity: "warning",
    message:
      'Multiplying out these "{keyword}" would give {count} branches, more than {budget}; they stay in an "allOf". Merge the unions by hand, or raise "branchBudget".',
  },
  "too-large":
    'Flattened, this schema has more than {budget} nodes; most come from "#{pointer}", which is repeated. Refer to it less often, or split the tool.',
} as const;

export const flattenDiagnostics: SchemaDiagnosticFactory<typeof definitions> = defineSchemaDiagnostics(definitions);

const causes = {
  value: '"{keyword}" is {value}',
  keyword: 'the schema has "{keyword}"',
  literalFalse: "the schema is false",
  notAllowed: 'a schema here allows only its own properties, and "{name}" is not among them',
  required: '"{name}" is required',
  dependentlyRequired: 'another property requires "{name}"',
  requiredCount: "{count} properties are required",
  possibleCount: "only {count} properties are possible",
  impossibleItem: '"{keyword}" leaves no value for item {index}',
  excludingEverything: '"not" excludes everything',
  impossibleBranches: 'no branch of this "{keyword}" can match',
  disagreeingBranches: 'no branch of this "{keyword}" is compatible with the schema beside it',
} as const;

/** The reason why something excludes something else: a template of `causes` with its parameters. */
export type CauseParameters = MessageParameters<typeof causes>;

export interface Cause {
  readonly origin: Origin;
  readonly message: string;
  /** The author wrote that nothing is valid (`false`, `not: {}`, an empty `enum`): no contradiction. */
  readonly deliberate?: boolean;
}

export function createCause(origin: Origin, parameters: CauseParameters): Cause {
  return { origin, message: formatMessage(causes, parameters) };
}

export function literalFalse(origin: Origin): Cause {
  return { ...createCause(origin, { variant: "literalFalse" }), deliberate: true };
}

/** Reports a contradiction; only a warning if the author meant to refuse everything. */
export function unsatisfiable(found: readonly Cause[], fallback: Origin): SchemaDiagnostic {
  return flattenDiagnostics("unsatisfiable", found[0]?.origin ?? fallback, clausesOf(found), {
    ...relatedTo(found),
    ...(found.every(({ deliberate }) => deliberate) && { severity: "warning" }),
  });
}

/** Reports a part that no valid input can contain: a property, or an item if it has no name. */
export function reportDeadPart(name: string | undefined, origin: Origin, found: readonly Cause[]): SchemaDiagnostic {
  return name === undefined
    ? flattenDiagnostics("dead-item", origin, clausesOf(found), relatedTo(found))
    : flattenDiagnostics("dead-property", origin, { name, ...clausesOf(found) }, relatedTo(found));
}

function clausesOf(found: readonly Cause[]): { readonly causes: readonly string[] } {
  return { causes: found.map(({ message }) => message) };
}

function relatedTo(found: readonly Cause[]): SchemaDiagnosticDetails {
  return found.length === 0 ? {} : { related: found.map(({ origin, message }) => ({ origin, message })) };
}

const OTHER_KEYWORD = 'the other "{keyword}"';

/** Reports a keyword of several schemas that could not become one, at the first of them. */
export function reportResidual(
  keyword: keyof (typeof definitions)["residual"]["message"],
  origins: readonly Origin[],
): SchemaDiagnostic {
  return flattenDiagnostics("residual", firstOf(origins), { variant: keyword }, othersOf(keyword, origins));
}

/** Reports several unions that could not become one, at the first of them. */
export function reportTooManyBranches(
  keyword: string,
  count: number,
  budget: number,
  origins: readonly Origin[],
): SchemaDiagnostic {
  const parameters = { keyword, count, budget };
  return flattenDiagnostics("too-many-branches", firstOf(origins), parameters, othersOf(keyword, origins));
}

function firstOf([first]: readonly Origin[]): Origin {
  return first ?? { uri: "", pointer: "" };
}

function othersOf(keyword: string, [, ...others]: readonly Origin[]): SchemaDiagnosticDetails {
  const message = formatMessage(OTHER_KEYWORD, { keyword });
  return others.length === 0 ? {} : { related: others.map((origin) => ({ origin, message })) };
}
