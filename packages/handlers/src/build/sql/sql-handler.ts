import { type JsonObject, readOwnMember } from "@hasp/base/json";
import {
  type ConnectionModule,
  type ConnectionSubject,
  type DeclaringTool,
  type GeneratedModule,
  type ModuleSubject,
  parsePlaceholder,
  printPlaceholder,
  printValueFunction,
  type SpecBind,
  type ValueReference,
} from "@hasp/compiler/handlers";
import type { SpecSql } from "./sql-schema.js";
import { code, type Data, literal, name, printObjectLiteral } from "@hasp/compiler/code";
import { parseNamedStatement } from "./named-statement.js";
import { ENTRIES } from "../codegen/entries.js";
import type { ReportKind } from "../findings/kind-diagnostics.js";

export function findSqlReferences({ statement }: SpecSql, bind: SpecBind): readonly ValueReference[] {
  return parseNamedStatement(statement).names.map((each) => ({
    at: "/statement",
    text: `$${each}`,
    role: "statement",
    ...parsePlaceholder(each, bind),
  }));
}

export function printSql(declaration: SpecSql, { tool, types, connection }: ModuleSubject): GeneratedModule {
  const { text, names } = parseNamedStatement(declaration.statement);
  const { timeoutSeconds } = tool.metadata.limits;
  const values = literal(names.map((each) => printPlaceholder(each, tool)));
  const entries = {
    text,
    values:
      names.length === 0
        ? undefined
        : printValueFunction(code`readonly unknown[]`, values, findSqlReferences(declaration, tool.spec.bind ?? {})),
    readOnly: tool.worstCase.class === "READ_ONLY" ? true : undefined,
    timeoutSeconds: timeoutSeconds === "unlimited" ? undefined : timeoutSeconds,
    maxRows: declaration.maxRows,
  };
  return {
    imports: { [ENTRIES.sql]: ["sqlHandler"] },
    comment: `One statement on ${declaration.connection}.`,
    value: code`sqlHandler<${types}>(${connection}, ${printObjectLiteral(entries)})`,
  };
}

export function printSqlConnection(settings: JsonObject, subject: ConnectionSubject): ConnectionModule {
  const member = readOwnMember(settings, "context");
  const entries: { readonly [key: string]: Data } =
    typeof member === "string"
      ? { name: subject.name, client: code`(context) => context.${name(member)}` }
      : { name: subject.name, ...(settings as { readonly [key: string]: Data }) };
  return {
    from: ENTRIES.sql,
    create: "sqlConnection",
    type: "SqlConnection",
    argument: typeof member === "string" ? code`<${subject.contextType}>` : code``,
    settings: printObjectLiteral(entries),
    imports: {},
    comment: `The database ${subject.name}.`,
  };
}

export function checkSql({ statement }: SpecSql, _tool: DeclaringTool, report: ReportKind): void {
  for (const { start, end, ...problem } of parseNamedStatement(statement).problems) {
    report("sql-statement", "/statement", problem, { start, end });
  }
}
