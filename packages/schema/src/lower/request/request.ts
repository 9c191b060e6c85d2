import type { Dialect, FieldUse, RequestLimits } from "../../dialects/definition/dialect.js";
import type { DialectId } from "../../dialects/definition/dialect-id.js";
import { findDialect, isStrict } from "../../dialects/index.js";
import type { JsonSchema } from "../../vocabulary/json-schema.js";
import { requestDiagnostics } from "./diagnostics.js";
import { findBrokenLimits, measureSchema, type SchemaMeasure } from "./measure.js";
import { createNamePattern } from "./wire-names.js";
import type { Severity } from "@hasp/base/diagnostics";
import { type JsonObject, own } from "@hasp/base/json";

/** An entry of a tool list as it is sent, with its wire name and lowered schema. */
export interface RequestTool {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly strict: boolean;
  /** Its entry as far as rules on fields need it. */
  readonly entry?: JsonObject;
}

/** Checks one tool of a list: its name, its description and its schema. */
export function checkRequestTool(tool: RequestTool, target: DialectId | Dialect): readonly RequestFinding[] {
  const dialect = findDialect(target);
  const found: RequestFinding[] = findBrokenLimits(tool.schema, dialect).map((broken) => ({
    tool: tool.name,
    ...broken,
  }));
  if (!createNamePattern(dialect.toolName).test(tool.name)) {
    found.push({
      tool: tool.name,
      ...requestDiagnostics("name", { name: tool.name, dialect: dialect.id }),
    });
  }
  const { descriptionLength } = dialect;
  if (descriptionLength !== undefined && tool.description.length > descriptionLength) {
    found.push({
      tool: tool.name,
      ...requestDiagnostics("description-length", {
        actual: tool.description.length,
        limit: descriptionLength,
        dialect: dialect.id,
      }),
    });
  }
  for (const pair of dialect.fieldRules?.exclusive ?? []) {
    const [field, other] = pair.map(nameUse);
    if (tool.entry === undefined || !pair.every((use) => isUsed(use, tool.entry ?? {}))) continue;
    found.push({
      tool: tool.name,
      ...requestDiagnostics("exclusive-fields", { field: field ?? "", other: other ?? "", dialect: dialect.id }),
    });
  }
  return found;
}

function isUsed(use: FieldUse, entry: JsonObject): boolean {
  const value = own(entry, typeof use === "string" ? use : use.field) ?? false;
  if (typeof use === "string") return value !== false;
  return [value].flat().some((each) => typeof each === "string" && each.startsWith(use.begins));
}

function nameUse(use: FieldUse): string {
  return typeof use === "string" ? use : `${use.field}: ${use.begins}…`;
}

/** A finding about a whole tool list, or about one tool in it. */
export interface RequestFinding {
  readonly tool?: string;
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
}

interface RequestShare {
  readonly strict: boolean;
  /** With `deferred`, requests omit the tool until a search has found it. Default: `normal`. */
  readonly load?: "normal" | "deferred" | "always";
  /** Its fields that few tools may have. Default: none. */
  readonly fields?: readonly string[];
  /** The counts of its schema. Omitted if the dialect has no limits that need them. */
  readonly measure?: SchemaMeasure;
}

type RequestLimit = keyof RequestLimits;

interface RequestCount {
  readonly code: Parameters<typeof requestDiagnostics>[0];
  /** True if the tool would count less if it were not strict. */
  readonly isOfStrictTools: boolean;
  /** True if the count needs the tool's schema. */
  readonly isMeasured: boolean;
  /** True if a request may exceed the limit unless it forces a call. */
  readonly isOfForcedCalls?: true;
  readonly share: (tool: RequestShare) => number;
}

const perTool = (code: RequestCount["code"], counts: (tool: RequestShare) => boolean): RequestCount => ({
  code,
  isOfStrictTools: false,
  isMeasured: false,
  share: (tool) => (counts(tool) ? 1 : 0),
});

const perStrictProperty = (code: RequestCount["code"], count: (measure: SchemaMeasure) => number): RequestCount => ({
  code,
  isOfStrictTools: true,
  isMeasured: true,
  share: ({ strict, measure }) => (strict && measure !== undefined ? count(measure) : 0),
});

const COUNTS: { readonly [limit in RequestLimit]-?: RequestCount } = {
  tools: perTool("tools", ({ load }) => load !== "deferred"),
  deferredTools: perTool("deferred-tools", ({ load }) => load === "deferred"),
  strictTools: { ...perTool("strict-tools", ({ strict }) => strict), isOfStrictTools: true },
  optionalProperties: perStrictProperty("optional-properties", (measure) => measure.optionalProperties),
  unionProperties: perStrictProperty("union-properties", (measure) => measure.unionProperties),
  requestProperties: perStrictProperty("properties", (measure) => measure.properties),
  forcedItems: {
    code: "forced-items",
    isOfStrictTools: false,
    isMeasured: true,
    isOfForcedCalls: true,
    share: ({ measure }) => measure?.items ?? 0,
  },
};

const requestLimits: readonly RequestLimit[] = Object.keys(COUNTS) as RequestLimit[];

/** The room that a provider leaves for the tools of one list. */
export interface RequestBudget {
  findings(): readonly RequestFinding[];
  /** Returns the first limit that a tool would exceed beside the added ones; `undefined` if it fits. */
  obstacleTo(tool: RequestShare): RequestFinding | undefined;
  add(tool: RequestShare): void;
}

/** Creates the budget of one list. With `isOfStrictTools`, it holds only the limits that a tool meets by being strict. */
export function createRequestBudget(
  dialect: DialectId | Dialect,
  { isOfStrictTools = false }: { readonly isOfStrictTools?: boolean } = {},
): RequestBudget {
  const { id, limits, fieldRules } = findDialect(dialect);
  const ofFields = Object.entries(isOfStrictTools ? {} : (fieldRules?.most ?? {})).map(([field, limit]) => ({
    ...perTool("fields", ({ fields }) => fields?.includes(field) === true),
    field,
    limit,
    actual: 0,
  }));
  const ofLimits = requestLimits.flatMap((name) => {
    const limit = limits[name];
    const count = COUNTS[name];
    return limit === undefined || (isOfStrictTools && !count.isOfStrictTools)
      ? []
      : [{ ...count, field: "", limit, actual: 0 }];
  });
  const counters = [...ofLimits, ...ofFields];
  const finding = ({ code, field, limit }: (typeof counters)[number], actual: number): RequestFinding =>
    requestDiagnostics(code, { actual, field, limit, dialect: id });
  return {
    findings: () =>
      counters.filter(({ actual, limit }) => actual > limit).map((counter) => finding(counter, counter.actual)),
    obstacleTo(tool) {
      const exceeded = counters.find(
        ({ actual, limit, share, isOfForcedCalls }) =>
          isOfForcedCalls !== true && share(tool) > 0 && actual + share(tool) > limit,
      );
      return exceeded && finding(exceeded, exceeded.actual + exceeded.share(tool));
    },
    add(tool) {
      for (const counter of counters) counter.actual += counter.share(tool);
    },
  };
}

/** Counts what the dialect limits over a whole list, in a tool's schema and in its entry. What is unlimited is left out. */
export function measureShare(
  { schema, entry = {} }: Pick<RequestTool, "schema" | "entry">,
  target: DialectId | Dialect,
): Pick<RequestShare, "measure" | "fields"> {
  const dialect = findDialect(target);
  const isCounted = requestLimits.some((name) => {
    const { isMeasured, isOfStrictTools } = COUNTS[name];
    return dialect.limits[name] !== undefined && isMeasured && (isStrict(dialect) || !isOfStrictTools);
  });
  const fields = Object.keys(dialect.fieldRules?.most ?? {}).filter((field) => isUsed(field, entry));
  return { ...(isCounted && { measure: measureSchema(schema) }), ...(fields.length > 0 && { fields }) };
}

/** Checks the limits on all tools of a list together. The limits of strict mode count strict tools only. */
export function checkRequestTotals(
  tools: readonly RequestShare[],
  dialect: DialectId | Dialect,
): readonly RequestFinding[] {
  const budget = createRequestBudget(dialect);
  for (const tool of tools) budget.add(tool);
  return budget.findings();
}
