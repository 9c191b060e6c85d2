import { groupBy, toObject } from "@hasp/base/json";
import type { JsonObject, JsonValue } from "@hasp/schema";
import { printVisibleLines, printVisibleText, pluralize } from "@hasp/base/diagnostics";
import {
  type AskAboutConflicts,
  type FinishedImport,
  type MergeConflict,
  printSide,
  type Side,
  type WrittenConnections,
} from "@hasp/import";
import { printTable } from "@hasp/report";
import { isYes, type Prompter, type Terminal } from "../shell/terminal.js";

/** Asks a person about conflicts, one file at a time although files are merged concurrently. */
export function createConflictQuestions(terminal: Terminal): { readonly ask: AskAboutConflicts; end(): void } {
  let questions: Prompter | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const askAll = async (path: string, conflicts: readonly MergeConflict[]): Promise<ReadonlyMap<string, Side>> => {
    questions ??= terminal.questions();
    const answers = new Map<string, Side>();
    for (const [index, { pointer, base, ours, theirs }] of conflicts.entries()) {
      const lines = [
        terminal.paint("heading", `${printVisibleText(path)} ${printVisibleText(pointer)}`),
        `  yours        ${printVisibleLines(printSide(ours))}`,
        `  the source's ${printVisibleLines(printSide(theirs))}`,
        `  last import  ${printVisibleLines(printSide(base))}`,
      ];
      terminal.error(`\n${lines.join("\n")}\n`);
      const answer = await questions.ask(`Take the source's (${index + 1} of ${conflicts.length})? [y/N] `);
      answers.set(pointer, isYes(answer) ? "theirs" : "ours");
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

interface SummarySettings {
  readonly out: string;
  readonly isCheck: boolean;
  readonly notes: number;
  /** Options that further commands need for the same project. */
  readonly place: string;
  /** Open inputs that nobody has approved, and the command that asks about them. */
  readonly approval: { readonly claims: number; readonly command: string };
  readonly environment: Terminal["environment"];
}

export function importSummary(
  { states, refused, kept, isUnseen, connections, handlers }: FinishedImport,
  { out, isCheck, notes, place, approval, environment }: SummarySettings,
): string {
  const total = states.length + refused.length;
  const same = states.filter(({ state }) => state === "unchanged").length;
  if (isCheck) {
    return `${same} of ${pluralize(total, "tool")} in ${out} ${same === 1 ? "matches" : "match"} the source.\n`;
  }
  const lines = [
    `${states.length} of ${pluralize(total, "tool")} imported into ${out}${same === 0 ? "" : ` (${same} unchanged)`}`,
  ];
  if (notes > 0) {
    lines.push(
      `${pluralize(notes, "word")} of the source rewritten in JSON Schema, with the same meaning; --format json lists them`,
    );
  }
  const suggesting = states.filter(({ suggests }) => suggests).map(({ tool }) => tool);
  const claims = countClaims(suggesting.map(({ spec }) => readSuggested(spec)));
  if (claims.length > 0) {
    lines.push("", "The source makes claims that no spec adopts yet (see `origin.suggested` in each):");
    lines.push(...printTable(["", ""], claims).map((line) => `  ${line}`));
  }
  const written = new Set([...kept, ...states.map(({ tool }) => tool.name)]);
  const missing = refused.filter((name) => !written.has(name));
  if (missing.length > 0) lines.push("", `Not imported: ${missing.map(printVisibleText).join(", ")}`);
  if (kept.length > 0) lines.push("", `Not updated: ${kept.map(printVisibleText).join(", ")}`);
  if (isUnseen) {
    lines.push(
      "",
      `No build will include them: "specs" in the configuration does not cover ${out}. Add it there, or import with another --out.`,
    );
  }
  lines.push(...connectionLines(connections, environment));
  if (handlers.length > 0) {
    lines.push("", `Handlers that call the module: ${handlers.join(", ")}`);
  }
  if (states.length > 0) {
    lines.push(
      "",
      "Next: read the specs, commit them with hasp-imports, which later updates need, and run `hasp check`, then `hasp build`.",
    );
    if (approval.claims > 0) {
      const wait = approval.claims === 1 ? "waits" : "wait";
      lines.push(
        `${pluralize(approval.claims, "place")} that the source leaves open ${wait} for an approval before a build: \`${approval.command}\`.`,
      );
    }
    const first = suggesting.find(({ spec }) => readSuggested(spec) !== undefined);
    if (first !== undefined) {
      lines.push(
        `Approve the claims that you believe, tool by tool: \`hasp approve ${first.name} --suggested --yes --reason "why you believe it"${place}\`.`,
      );
    }
  }
  return `${lines.join("\n")}\n`;
}

function connectionLines(
  { added, path, missingPackages }: WrittenConnections,
  environment: SummarySettings["environment"],
): readonly string[] {
  if (added.length === 0) return [];
  const variables = added.flatMap(({ variables: own }) =>
    own.map(({ name, holds, isOfSource }) => {
      const isSent = isOfSource === true && environment[name] !== undefined;
      return `  ${name}: ${printVisibleText(holds)}${isSent ? "; it is set here, and the next call sends it" : ""}`;
    }),
  );
  const names = added.map(({ name }) => printVisibleText(name)).join(", ");
  return [
    "",
    `Added to ${path}: ${added.length === 1 ? "the connection" : "the connections"} ${names}.`,
    ...(variables.length === 0
      ? []
      : ["Set these variables in the environment of calls, or in a file: hasp call … --env-file .env"]),
    ...new Set(variables),
    ...(missingPackages.length === 0 ? [] : [`Install what calls need: npm install ${missingPackages.join(" ")}`]),
  ];
}

function readSuggested({ origin }: JsonObject): JsonValue | undefined {
  return toObject(origin)["suggested"];
}

function countClaims(suggested: readonly (JsonValue | undefined)[]): readonly (readonly [string, string])[] {
  const claims = suggested
    .flatMap((each) => Object.entries(toObject(each)))
    .flatMap(([name, value]) => (name === "from" ? [] : [`${name}: ${String(value)}`]))
    .toSorted();
  const groups = [...groupBy(claims, String)];
  const width = String(Math.max(...groups.map(([, { length }]) => length))).length;
  return groups.map(([claim, { length }]) => [
    claim,
    `${" ".repeat(width - String(length).length)}${pluralize(length, "tool")}`,
  ]);
}
