import type { Origin, SchemaDiagnostic } from "../../diagnostics/diagnostic.js";

/** One of the two (or more) things that exclude each other. */
export interface Cause {
  readonly origin: Origin;
  readonly message: string;
  /** The author wrote that nothing is valid (`false`, `not: {}`, an empty `enum`): no contradiction. */
  readonly deliberate?: boolean;
}

/** The cause of a literal `false`. */
export function literalFalse(origin: Origin): Cause {
  return { origin, message: "false stands here", deliberate: true };
}

function withCauses(code: string, message: string, causes: readonly Cause[], fallback: Origin): SchemaDiagnostic {
  return {
    code,
    severity: "error",
    message,
    origin: causes[0]?.origin ?? fallback,
    ...(causes.length > 0 && { related: causes.map(({ origin, message: text }) => ({ origin, message: text })) }),
  };
}

/** Several schemas that could not become one; the first is where the finding points. */
function apart(
  code: string,
  keyword: string,
  message: string,
  [first, ...others]: readonly Origin[],
): SchemaDiagnostic {
  return {
    code,
    severity: "warning",
    message,
    origin: first ?? { uri: "", pointer: "" },
    ...(others.length > 0 && { related: others.map((origin) => ({ origin, message: `the other "${keyword}"` })) }),
  };
}

function listed(causes: readonly Cause[]): string {
  const shown = causes.slice(0, 4).map((cause) => cause.message);
  return shown.join(", and ") + (causes.length > shown.length ? `, and ${causes.length - shown.length} more` : "");
}

/** What flattening finds. */
export const flattenDiagnostics = {
  /** Why a closed schema excludes a name. */
  notAmongItsOwn: (name: string): string =>
    `a schema here allows only its own properties, and "${name}" is not among them`,

  /** A contradiction is an error; what was meant to refuse everything is only pointed out. */
  unsatisfiable: (causes: readonly Cause[], fallback: Origin): SchemaDiagnostic => ({
    ...withCauses(
      "schema/unsatisfiable",
      `Nothing can satisfy this schema: ${listed(causes)}. Loosen one of them.`,
      causes,
      fallback,
    ),
    severity: causes.every(({ deliberate }) => deliberate) ? "warning" : "error",
  }),

  deadProperty: (name: string, origin: Origin, causes: readonly Cause[]): SchemaDiagnostic => ({
    ...withCauses(
      "schema/dead-property",
      `No valid input can contain "${name}": ${listed(causes)}. Remove the property, or loosen what forbids it.`,
      causes,
      origin,
    ),
    origin,
  }),

  deadItem: (origin: Origin, causes: readonly Cause[]): SchemaDiagnostic => ({
    ...withCauses(
      "schema/dead-item",
      `No item can satisfy this schema: ${listed(causes)}. Loosen one of them.`,
      causes,
      origin,
    ),
    severity: "warning",
    origin,
  }),

  recursive: (name: string, origin: Origin): SchemaDiagnostic => ({
    code: "schema/recursive",
    severity: "info",
    message: `This schema contains itself; it stays as "#/$defs/${name}".`,
    origin,
  }),

  residual: (keyword: string, reason: string, origins: readonly Origin[]): SchemaDiagnostic =>
    apart("schema/residual", keyword, `"${keyword}" stays in an "allOf": ${reason}.`, origins),

  tooManyBranches: (keyword: string, count: number, budget: number, origins: readonly Origin[]): SchemaDiagnostic =>
    apart(
      "schema/too-many-branches",
      keyword,
      `Multiplying out these "${keyword}" would give ${count} branches, more than ${budget}; they stay in an "allOf". Merge the unions by hand, or raise "branchBudget".`,
      origins,
    ),

  tooLarge: (budget: number, origin: Origin): SchemaDiagnostic => ({
    code: "schema/too-large",
    severity: "error",
    message: `Flattened, this schema has more than ${budget} nodes; most come from "#${origin.pointer}", which is repeated. Refer to it less often, or raise "nodeBudget".`,
    origin,
  }),

  tooDeep: (limit: number, origin: Origin): SchemaDiagnostic => ({
    code: "schema/too-deep",
    severity: "error",
    message: `Flattened, this schema is nested deeper than ${limit} levels. Shorten the chain of references.`,
    origin,
  }),
} as const;
