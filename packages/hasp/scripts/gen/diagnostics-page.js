import { importBuilt, importInner } from "./import-built.js";
import { code, page, table } from "./markdown.js";

/** Every finding that belongs to no rule, by what finds it. */
export async function diagnosticsPage() {
  const { describeMessage } = await importBuilt("schema", "diagnostics/index.js");
  const { declaredFindings } = await importInner("hasp", "cli/shell/declared-findings.ts");
  const { findingPhases } = await importInner("hasp", "diagnostics/finding-phases.ts");
  const sections = await Promise.all(
    [...findingPhases].map(async ([phase, introduction]) => {
      const findings = [...(await declaredFindings(phase))].toSorted(([left], [right]) => (left < right ? -1 : 1));
      return [
        `## ${phase}`,
        introduction,
        table(
          ["finding", "severity", "what it says"],
          findings.map((finding) => row(finding, describeMessage)),
        ),
      ];
    }),
  );
  return page(
    "# The diagnostics",
    "What `hasp` finds beside its [rules](rules.md): each with its place in your own file. None of these can be suppressed; a rule's " +
      "finding can. `<…>` stands for what differs. This page is printed from the definitions; `hasp explain <id>` prints one of them.",
    sections.flat(),
  );
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
