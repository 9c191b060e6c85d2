import type { JsonObject } from "@hasp/schema";
import type { CompileResult } from "../compile.js";
import type { LoweredList } from "../model/lowered.js";
import type { Paint } from "./paint.js";
import type { Column } from "./table.js";
import { tableLines } from "./table.js";
import { visibleText } from "./visible-text.js";
import { counted } from "./words.js";

/** How many files of a build ended how. */
export interface FileCounts {
  readonly written: number;
  readonly unchanged: number;
  readonly deleted: number;
  /** Files that belong to the user and were there. */
  readonly kept: number;
}

const CLASSES = ["READ_ONLY", "WRITE_EXCLUSIVE", "UNSAFE"] as const;

/** What a build compiled, as far as its summary needs it. */
export type Summarised = Pick<CompileResult, "tools" | "toolsets" | "diagnostics">;

/** What a build made, for people: tools, what loosens a default, each dialect's list, the files. */
export function buildSummary(
  result: Summarised,
  files: FileCounts | undefined,
  outDir: string,
  milliseconds: number,
  paint: Paint,
): string {
  const { tools, toolsets } = result;
  const classes = CLASSES.flatMap((name) => {
    const count = tools.filter((tool) => tool.worstCase.class === name).length;
    return count === 0 ? [] : [`${count} ${name}`];
  });
  const byInput = tools.filter((tool) => tool.rules.length > 0).length;
  const lines = [
    `${paint("good", "✓")} ${paint("heading", counted(tools.length, "tool"))}: ${classes.join(", ")}${byInput === 0 ? "" : ` (${byInput} milder for some inputs)`}`,
    `  ${relaxationLine(result)}`,
  ];
  for (const toolset of toolsets) {
    const title = toolsets.length > 1 ? `toolset ${visibleText(toolset.name)} (${counted(toolset.tools.length, "tool")})` : "dialect";
    const [head = "", ...rows] = tableLines(DIALECT_COLUMNS(title), toolset.lists.map(dialectRow));
    lines.push("", `  ${paint("faint", head)}`, ...rows.map((row) => `  ${row}`));
    const excluded = toolset.lists.flatMap((list) => list.excluded.map((entry) => ({ dialect: list.dialect, ...entry })));
    for (const { dialect, tool, reason } of excluded.slice(0, SHOWN_EXCLUSIONS)) {
      lines.push(`  ${visibleText(tool.name)} is not in ${dialect}: ${visibleText(reason)}`);
    }
    if (excluded.length > SHOWN_EXCLUSIONS) lines.push(`  … and ${excluded.length - SHOWN_EXCLUSIONS} more that are not carried`);
  }
  if (toolsets.some(({ lists }) => lists.some((list) => list.losses.length > 0))) {
    lines.push(paint("faint", `  A loss is a constraint that the provider cannot carry; the runtime holds it. ${visibleText(outDir)}/losses.json has them all.`));
  }
  lines.push("", `  ${files === undefined ? "" : `${fileLine(files)}, `}${Math.round(milliseconds)} ms`);
  return `${lines.join("\n")}\n`;
}

const SHOWN_EXCLUSIONS = 10;

/** The same as data. */
export function buildCounts(result: Pick<CompileResult, "tools" | "toolsets">): JsonObject {
  return {
    tools: result.tools.length,
    relaxations: result.tools.reduce((sum, tool) => sum + tool.relaxations.length, 0),
    toolsets: result.toolsets.map((toolset) => ({
      name: toolset.name,
      tools: toolset.tools.length,
      dialects: toolset.lists.map((list) => ({
        dialect: list.dialect,
        carried: list.tools.length,
        strict: strictCount(list),
        excluded: list.excluded.map(({ tool, reason }) => ({ tool: tool.name, reason })),
        losses: list.losses.length,
      })),
    })),
  };
}

const DIALECT_COLUMNS = (title: string): readonly Column[] => [
  { title },
  { title: "carried", align: "right" },
  { title: "strict", align: "right" },
  { title: "excluded", align: "right" },
  { title: "losses", align: "right" },
];

function dialectRow(list: LoweredList): readonly string[] {
  return [list.dialect, list.tools.length, strictCount(list), list.excluded.length, list.losses.length].map(String);
}

function strictCount(list: LoweredList): number {
  return list.tools.filter((tool) => tool.strict).length;
}

const WAITING: ReadonlySet<string> = new Set(["ledger/not-approved", "ledger/stale", "ledger/expired"]);

/** How many claims loosen a default, and whether each was approved. */
export function relaxationLine({ tools, diagnostics }: Pick<Summarised, "tools" | "diagnostics">): string {
  const loosened = tools.filter((tool) => tool.relaxations.length > 0);
  const count = loosened.reduce((sum, tool) => sum + tool.relaxations.length, 0);
  if (count === 0) return "Nothing loosens a fail-closed default.";
  const waiting = diagnostics.filter(({ code }) => WAITING.has(code)).length;
  const ledger = waiting === 0 ? "each approved in hasp-ledger/" : `${waiting} of them not approved`;
  return `${counted(count, "claim")} in ${counted(loosened.length, "tool")} ${count === 1 ? "loosens" : "loosen"} a fail-closed default, ${ledger}.`;
}

function fileLine({ written, unchanged, deleted, kept }: FileCounts): string {
  const parts = [`${counted(written, "file")} written`, `${unchanged} unchanged`];
  if (kept > 0) parts.push(`${kept} of yours left alone`);
  if (deleted > 0) parts.push(`${deleted} deleted`);
  return parts.join(", ");
}
