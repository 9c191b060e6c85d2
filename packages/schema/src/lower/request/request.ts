import type { Dialect, RequestLimits } from "../../dialects/definition/dialect.js";
import type { DialectId } from "../../dialects/definition/dialect-id.js";
import { findDialect, isStrict } from "../../dialects/index.js";
import type { JsonSchema } from "../../vocabulary/json-schema.js";
import { requestDiagnostics } from "./diagnostics.js";
import { findBrokenLimits, measureSchema, type SchemaMeasure } from "./measure.js";
import { createNamePattern } from "./wire-names.js";
import type { Severity } from "@hasp/base/diagnostics";

/** An entry of a tool list as it is sent, with its wire name and lowered schema. */
export interface RequestTool {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly strict: boolean;
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
  return found;
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
  /** True if requests omit the tool until a search has found it. Default: false. */
  readonly isDeferred?: boolean;
  /** The counts of its schema. Omitted if the dialect has no limits that need them. */
  readonly measure?: SchemaMeasure;
}

export type RequestLimit = keyof RequestLimits;

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
  tools: perTool("tools", ({ isDeferred }) => isDeferred !== true),
  deferredTools: perTool("deferred-tools", ({ isDeferred }) => isDeferred === true),
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

export const requestLimits: readonly RequestLimit[] = Object.keys(COUNTS) as RequestLimit[];

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
  const { id, limits } = findDialect(dialect);
  const counters = requestLimits.flatMap((name) => {
    const limit = limits[name];
    const count = COUNTS[name];
    return limit === undefined || (isOfStrictTools && !count.isOfStrictTools) ? [] : [{ ...count, limit, actual: 0 }];
  });
  const finding = ({ code, limit }: (typeof counters)[number], actual: number): RequestFinding =>
    requestDiagnostics(code, { actual, limit, dialect: id });
  return {
    findings: () =>
      counters.filter(({ actual, limit }) => actual > limit).map((counter) => finding(counter, counter.actual)),
    obstacleTo(tool) {
      const exceeded = counters.find(
        ({ actual, limit, share, isOfForcedCalls }) =>
          isOfForcedCalls !== true && share(tool) > 0 && actual + share(tool) > limit,
      );
      return exceeded === undefined ? undefined : finding(exceeded, exceeded.actual + exceeded.share(tool));
    },
    add(tool) {
      for (const counter of counters) counter.actual += counter.share(tool);
    },
  };
}

/** Counts what the dialect limits over a whole list; `undefined` if it limits no part of such a schema, since counting takes work. */
export function measureShare(schema: JsonSchema, dialect: DialectId | Dialect): SchemaMeasure | undefined {
  const { limits } = findDialect(dialect);
  const isCounted = requestLimits.some((name) => {
    const { isMeasured, isOfStrictTools } = COUNTS[name];
    return limits[name] !== undefined && isMeasured && (isStrict(dialect) || !isOfStrictTools);
  });
  return isCounted ? measureSchema(schema) : undefined;
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
