import type { SqlDeclaration } from "../../../model/handlers/declaration.js";
import type { CheckedTool, ReportHandler } from "../base/handler-check.js";
import { parseNamedStatement } from "./named-statement.js";

/** Reports why a text is not an executable statement, at its place in the text. */
export function checkSql({ statement }: SqlDeclaration, _tool: CheckedTool, report: ReportHandler): void {
  for (const { start, end, ...problem } of parseNamedStatement(statement).problems) {
    report("sql-statement", "/statement", problem, { start, end });
  }
}
