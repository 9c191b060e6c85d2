import type { Dialect } from "../../dialects/definition/dialect.js";
import type { DialectId } from "../../dialects/definition/dialect-id.js";
import { dialectOf } from "../../dialects/dialect-of.js";
import type { JsonSchema } from "../../vocabulary/json-schema.js";
import { requestDiagnostics } from "./diagnostics.js";
import { brokenLimits, measureSchema } from "./measure.js";
import { checkRequestTotals, needsMeasure, type RequestFinding } from "./request-budget.js";
import { wholeName } from "./wire-names.js";

/** An entry of a tool list as it is sent, with its wire name and lowered schema. */
export interface RequestTool {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly strict: boolean;
}

/** Checks a whole list against the provider's limits. One bad tool fails the whole request. */
export function checkRequest(tools: readonly RequestTool[], dialect: DialectId | Dialect): readonly RequestFinding[] {
  const target = dialectOf(dialect);
  return [
    ...tools.flatMap((tool) => checkRequestTool(tool, target)),
    ...duplicateNames(tools, target),
    ...totals(tools, target),
  ];
}

/** Checks one tool of a list: its name, its description and its schema. */
export function checkRequestTool(tool: RequestTool, target: DialectId | Dialect): readonly RequestFinding[] {
  const dialect = dialectOf(target);
  const found: RequestFinding[] = brokenLimits(tool.schema, dialect).map((broken) => ({
    tool: tool.name,
    ...broken,
  }));
  if (!wholeName(dialect.toolName).test(tool.name)) {
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

function totals(tools: readonly RequestTool[], dialect: Dialect): readonly RequestFinding[] {
  const isMeasured = needsMeasure(dialect);
  return checkRequestTotals(
    tools.map(({ strict, schema }) => ({ strict, ...(isMeasured ? { measure: measureSchema(schema) } : {}) })),
    dialect,
  );
}
