import type { Diagnostic } from "../../../compiler/src/diagnostics/diagnostic.js";
import { reportFormats, type FormatName } from "../../../report/src/reporters/index.js";
import { plainPaint } from "../../../report/src/reporters/paint.js";
import { visibleText } from "../../../compiler/src/text/visible-text.js";
import { cliDiagnostics } from "./shell/diagnostics.js";
import { reportText } from "./shell/print-result.js";
import type { Terminal } from "./shell/terminal.js";

/** Reports a usage error in the requested format. For people, commander has printed it already. */
export async function reportUsage(message: string, words: readonly string[], terminal: Terminal): Promise<void> {
  const [problem = "", ...hints] = message.replace(/^error: /u, "").split("\n");
  const said = problem === "(outputHelp)" ? "No command given." : problem;
  const hint = hints.join(" ").trim();
  await reportTo(
    terminal,
    words,
    cliDiagnostics("usage", undefined, { problem: hint === "" ? said : `${said} ${hint}` }),
  );
}

/** Reports a bug of hasp's, with what a bug report needs. */
export async function reportBug(error: unknown, words: readonly string[], terminal: Terminal): Promise<void> {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const lines = stack.split("\n").map(visibleText);
  terminal.error(
    `This is a bug in hasp, not in your specs. Nothing was written. Please report it with these lines:\n\n${lines.join("\n")}\n`,
  );
  await reportTo(terminal, words, cliDiagnostics("bug", undefined, { reason: lines[0] ?? "" }));
}

async function reportTo(terminal: Terminal, words: readonly string[], diagnostic: Diagnostic): Promise<void> {
  const format = formatIn(words);
  if (format === "pretty") return;
  const view = { paint: plainPaint, columns: terminal.columns, prefix: "", showsNotes: true };
  terminal.out(await reportText(format, { diagnostics: [diagnostic], couldNotCheck: true }, view));
}

/** Finds the requested format, even if commander could not parse the line. */
function formatIn(words: readonly string[]): FormatName {
  const asked = words.flatMap((word, index) => {
    if (word === "--format") return words[index + 1] ?? [];
    return word.startsWith("--format=") ? word.slice("--format=".length) : [];
  });
  const [last = "pretty"] = asked.slice(-1);
  return Object.hasOwn(reportFormats, last) ? (last as FormatName) : "pretty";
}
