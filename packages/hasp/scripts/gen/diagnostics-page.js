import { importBuilt, importInner } from "./import-built.js";
import { code, page, table } from "./markdown.js";

const REFERENCE = "packages/hasp/docs/reference";

/** Prints the findings that belong to no rule: one page for each phase, and an index. */
export async function diagnosticsPages() {
  const { describeMessage } = await importBuilt("schema", "diagnostics/index.js");
  const { declaredFindings } = await importInner("hasp", "cli/shell/declared-findings.ts");
  const { findingPhases } = await importInner("compiler", "diagnostics/finding-phases.ts");
  const phases = await Promise.all(
    [...findingPhases].map(async ([phase, introduction]) => {
      const findings = [...(await declaredFindings(phase))].toSorted(([left], [right]) => (left < right ? -1 : 1));
      return { phase, introduction, findings };
    }),
  );
  const list = page(
    "# The diagnostics",
    "Every finding of `hasp` that is not one of its [rules](rules.md), by the first part of its id. None of these can be suppressed; a " +
      "rule's finding can. `hasp explain <id>` prints one of them. This page is printed from the definitions.",
    table(
      ["findings", "number", "where hasp finds them"],
      phases.map(({ phase, introduction, findings }) => [
        `[${phase}](diagnostics/${phase}.md)`,
        findings.length,
        introduction,
      ]),
    ),
  );
  const each = phases.map(({ phase, introduction, findings }) => [
    `${REFERENCE}/diagnostics/${phase}.md`,
    page(
      `# Diagnostics: ${phase}`,
      `${introduction} \`<…>\` stands for what differs. This page is printed from the definitions; ` +
        "[all diagnostics](../diagnostics.md).",
      table(
        ["finding", "severity", "message"],
        findings.map((finding) => row(finding, describeMessage)),
      ),
    ),
  ]);
  return [[`${REFERENCE}/diagnostics.md`, list], ...each];
}

function row([id, definition], describeMessage) {
  const messages = [definition.message, definition.help].flatMap((message) =>
    message === undefined ? [] : describeMessage(message),
  );
  return [
    code(id),
    definition.severity,
    [...new Set(messages)].map((message) => message.replaceAll("<", "&lt;")).join("<br>"),
  ];
}
