import type { Dialect } from "../../dialects/definition/dialect.js";
import type { DialectId } from "../../dialects/definition/dialect-id.js";
import { dialectOf } from "../../dialects/dialect-of.js";
import type { Severity } from "../../diagnostics/diagnostic.js";
import type { JsonSchema } from "../../vocabulary/json-schema.js";
import { requestDiagnostics } from "./diagnostics.js";
import { brokenLimits, measureSchema, type SchemaMeasure } from "./measure.js";
import { fitsRule } from "./wire-names.js";

/** An entry of a tool list as it is sent, with its wire name and lowered schema. */
export interface RequestTool {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly strict: boolean;
}

/** A finding about a whole tool list, or about one tool in it. */
export interface RequestFinding {
  readonly tool?: string;
  readonly code: string;
  readonly severity: Severity;
  /** One sentence that says what is wrong and what to do. */
  readonly message: string;
}

/** Checks a whole list against the provider's limits. One bad tool fails the whole request. */
export function checkRequest(tools: readonly RequestTool[], dialect: DialectId | Dialect): readonly RequestFinding[] {
  const target = dialectOf(dialect);
  return [
    ...tools.flatMap((tool) => findingsOfTool(tool, target)),
    ...duplicateNames(tools, target),
    ...totals(tools, target),
  ];
}

function findingsOfTool(tool: RequestTool, dialect: Dialect): readonly RequestFinding[] {
  const found: RequestFinding[] = brokenLimits(tool.schema, dialect).map((broken) => ({
    tool: tool.name,
    ...broken,
  }));
  if (!fitsRule(tool.name, dialect.toolName)) {
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

function duplicateNames(tools: readonly RequestTool[], dialect: Dialect): readonly RequestFinding[] {
  const seen = new Set<string>();
  return tools.flatMap((tool): readonly RequestFinding[] => {
    if (!seen.has(tool.name)) {
      seen.add(tool.name);
      return [];
    }
    return [{ tool: tool.name, ...requestDiagnostics("duplicate-name", { name: tool.name, dialect: dialect.id }) }];
  });
}

/** What one tool contributes to the limits of a whole list. */
export interface RequestShare {
  readonly strict: boolean;
  /** The counts of its schema. Omitted if the dialect has no limits that need them. */
  readonly measure?: SchemaMeasure;
}

/** Checks the limits on all tools of a list together. The limits of strict mode count strict tools only. */
export function checkRequestTotals(
  tools: readonly RequestShare[],
  dialect: DialectId | Dialect,
): readonly RequestFinding[] {
  const { id, limits } = dialectOf(dialect);
  const found: RequestFinding[] = [];
  const compare = (
    name: "tools" | "strict-tools" | "optional-properties" | "union-properties" | "properties",
    actual: number,
    limit: number | undefined,
  ): void => {
    if (limit === undefined || actual <= limit) return;
    found.push(requestDiagnostics(name, { actual, limit, dialect: id }));
  };
  const total = (some: readonly RequestShare[], count: (measure: SchemaMeasure) => number): number =>
    some.reduce((sum, { measure }) => sum + (measure === undefined ? 0 : count(measure)), 0);
  const strict = tools.filter((tool) => tool.strict);
  const optional = total(strict, (measure) => measure.optionalProperties);
  const unions = total(strict, (measure) => measure.unionProperties);
  const properties = total(tools, (measure) => measure.properties);
  compare("tools", tools.length, limits.tools);
  compare("strict-tools", strict.length, limits.strictTools);
  compare("optional-properties", optional, limits.optionalProperties);
  compare("union-properties", unions, limits.unionProperties);
  compare("properties", properties, limits.requestProperties);
  return found;
}

function totals(tools: readonly RequestTool[], dialect: Dialect): readonly RequestFinding[] {
  return checkRequestTotals(
    tools.map(({ strict, schema }) => ({ strict, measure: measureSchema(schema) })),
    dialect,
  );
}
