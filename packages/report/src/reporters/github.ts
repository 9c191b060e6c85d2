import type { ReportFormat } from "./report.js";
import { printVisibleLines, printVisibleText } from "@hasp/base/diagnostics";

const LEVELS = { error: "error", warning: "warning", info: "notice" } as const;

// Escapes per https://docs.github.com/en/actions/reference/workflow-commands: no line breaks; in properties no `:` or
// `,`.
const data = (text: string): string => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const property = (text: string): string => data(printVisibleText(text)).replaceAll(":", "%3A").replaceAll(",", "%2C");

/** Workflow commands: GitHub shows them as annotations on the changed lines. */
export const github: ReportFormat = {
  hasCheckoutPaths: true,
  print: (report, view) =>
    report.diagnostics
      .map(({ code, severity, message, location, help }) => {
        const properties = [`title=${property(code)}`];
        if (location !== undefined) {
          const { start, end } = location.range;
          properties.unshift(
            `file=${property(view.prefix + location.uri)}`,
            `line=${start.line}`,
            `col=${start.column}`,
            `endLine=${end.line}`,
            ...(end.line === start.line ? [`endColumn=${end.column}`] : []),
          );
        }
        const text = printVisibleLines(help === undefined ? message : `${message}\n${help}`);
        return `::${LEVELS[severity]} ${properties.join(",")}::${data(text)}\n`;
      })
      .join(""),
};
