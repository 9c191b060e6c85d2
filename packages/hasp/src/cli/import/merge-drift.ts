import type { JsonValue } from "@hasp/schema";
import { excerpt, type Diagnostic, type Location, printVisibleLines, printVisibleText } from "@hasp/base/diagnostics";
import { importDiagnostics, type MergeConflict, type Side } from "@hasp/import";
import type { Prompter, Terminal } from "../shell/terminal.js";
import type { PutSettings } from "./put-settings.js";

/** Asks a person about conflicts, one file at a time although files are merged concurrently. */
export function createConflictQuestions(terminal: Terminal): Required<Pick<PutSettings, "ask">> & { end(): void } {
  let questions: Prompter | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const askAll = async (path: string, conflicts: readonly MergeConflict[]): Promise<ReadonlyMap<string, Side>> => {
    questions ??= terminal.questions();
    const answers = new Map<string, Side>();
    for (const [index, { pointer, base, ours, theirs }] of conflicts.entries()) {
      const lines = [
        terminal.paint("heading", `${printVisibleText(path)} ${printVisibleText(pointer)}`),
        `  yours        ${printVisibleLines(valueText(ours))}`,
        `  the source's ${printVisibleLines(valueText(theirs))}`,
        `  last import  ${printVisibleLines(valueText(base))}`,
      ];
      terminal.error(`\n${lines.join("\n")}\n`);
      const answer = await questions.ask(`Take the source's (${index + 1} of ${conflicts.length})? [y/N] `);
      answers.set(pointer, /^y(es)?$/iu.test(answer.trim()) ? "theirs" : "ours");
    }
    return answers;
  };
  return {
    ask: async (path, conflicts) => {
      const turn = last.then(async () => askAll(path, conflicts));
      last = turn;
      return turn;
    },
    end: () => questions?.end(),
  };
}

interface DriftedFile {
  readonly path: string;
  readonly text: string;
  readonly imported: string;
  readonly tool?: string;
}

interface Drift {
  readonly conflicts: readonly MergeConflict[];
  merged(choose: (conflict: MergeConflict) => Side): string | undefined;
}

export async function mergeDrift(
  { path, text, imported, tool }: DriftedFile,
  { conflicts, merged }: Drift,
  { options, ask }: Pick<PutSettings, "options" | "ask">,
): Promise<{ readonly text: string } | { readonly diagnostics: readonly Diagnostic[] }> {
  const choose = await decide(conflicts, options, ask, path);
  if (choose === undefined) {
    const locate = await locatorOf(path, text);
    return {
      diagnostics: conflicts.map(({ pointer, base, ours, theirs }) => {
        const values = { base: valueText(base), ours: valueText(ours), theirs: valueText(theirs) };
        return importDiagnostics("conflict", locate(pointer), { path, pointer, ...values }, { tool });
      }),
    };
  }
  const result = merged(choose) ?? (options.force === true ? imported : undefined);
  if (result === undefined) return { diagnostics: [importDiagnostics("not-mergeable", undefined, { path }, { tool })] };
  return { text: result };
}

async function decide(
  conflicts: readonly MergeConflict[],
  { ours, theirs, force }: PutSettings["options"],
  ask: PutSettings["ask"],
  path: string,
): Promise<((conflict: MergeConflict) => Side) | undefined> {
  if (conflicts.length === 0 || ours === true) return () => "ours";
  if (theirs === true || force === true) return () => "theirs";
  const answers = await ask?.(path, conflicts);
  return answers === undefined ? undefined : ({ pointer }) => answers.get(pointer) ?? "ours";
}

async function locatorOf(uri: string, text: string): Promise<(pointer: string) => Location | undefined> {
  const { parseSource } = await import("@hasp/compiler/source");
  const document = parseSource({ uri, text, role: "spec" }).value;
  return (pointer) => document?.locate(pointer);
}

function valueText(value: JsonValue | undefined): string {
  return value === undefined ? "nothing" : excerpt(JSON.stringify(value));
}
