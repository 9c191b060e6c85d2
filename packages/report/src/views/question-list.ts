import { presentQuestion } from "@hasp/runtime";
import type { Question } from "@hasp/runtime/call-store";
import type { JsonObject } from "@hasp/base/json";
import { printVisibleLines, printVisibleText } from "@hasp/base/diagnostics";

import { printTable, type SummaryView } from "./table.js";

const LEAST_DIGITS = 8;

/** Formats the questions of a call store with reasons and whole inputs. `now` is in milliseconds since 1970. */
export function printQuestionList(
  questions: readonly Question[],
  now: number,
  { paint, columns }: SummaryView,
): string {
  const short = shortIds(questions.map(({ id }) => id));
  const rows = questions.map((question) => [
    short.get(question.id) ?? question.id,
    printVisibleText(question.toolName),
    `${question.class}${question.isDestructive ? ", destructive" : ""}`,
    `${duration(now - Date.parse(question.askedAt))} ago`,
    isExpired(question, now) ? "expired" : `in ${duration(Date.parse(question.expiresAt) - now)}`,
    printVisibleText(question.principal ?? ""),
  ]);
  const titles = ["question", "tool", "class", "asked", "expires", "for"];
  const table = printTable(titles, rows, { paint, columns });
  const [head = "", ...lines] = table;
  // In a narrow terminal each question is a list of its own, with the titles in it.
  const listed =
    table.length === rows.length + 1
      ? lines.map((line) => [line])
      : rows.map((row) => printTable(titles, [row], { columns }).slice(1));
  const blocks = questions.flatMap((question, index) => {
    const { reason, input, notes } = presentQuestion(question);
    const facts = [["reason", reason], ["input", input], ...notes.map((note) => ["note", note])] as const;
    return [
      ...(listed[index] ?? []),
      ...facts.flatMap(([name = "", text]) =>
        text === undefined ? [] : [paint("faint", `  ${name.padEnd(8)}${indented(text)}`)],
      ),
    ];
  });
  return `${[head, ...blocks].join("\n")}\n`;
}

function indented(text: string): string {
  return printVisibleLines(text).replaceAll("\n", `\n${" ".repeat(10)}`);
}

export function createQuestionData(questions: readonly Question[], now: number): readonly JsonObject[] {
  return questions.map((question) => ({ ...question, isExpired: isExpired(question, now) }) as unknown as JsonObject);
}

function shortIds(ids: readonly string[]): ReadonlyMap<string, string> {
  const isUnique = (length: number): boolean =>
    new Set(ids.map((id) => id.slice(0, length))).size === new Set(ids).size;
  let length = LEAST_DIGITS;
  while (!isUnique(length)) length += 1;
  return new Map(ids.map((id) => [id, printVisibleText(id.slice(0, length))]));
}

function isExpired({ expiresAt }: Question, now: number): boolean {
  return Date.parse(expiresAt) <= now;
}

const UNITS = [
  [86_400, "d"],
  [3600, "h"],
  [60, "min"],
] as const;

/** Formats a time in its largest unit, rounded. */
function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const [size, unit] = UNITS.find(([length]) => seconds >= length) ?? [1, "s"];
  return `${Math.round(seconds / size)} ${unit}`;
}
