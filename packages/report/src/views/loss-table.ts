import type { JsonObject, JsonValue } from "@hasp/base/json";
import { cutToWidth } from "../reporters/display-width.js";
import { printTable } from "./table.js";
import { printVisibleText } from "@hasp/base/diagnostics";

/** A loss of a schema in a dialect, as the schema engine finds it. */
interface ShownLoss {
  readonly dialect: string;
  readonly pointer: string;
  readonly keyword: string;
  readonly direction: string;
  readonly enforcedBy: string;
  readonly words?: string;
  readonly witness?: JsonValue;
}

export function printLossTable<L extends ShownLoss>(
  losses: readonly L[],
  placeOf: (loss: L) => string,
  columns: number,
): string {
  if (losses.length === 0) return "";
  const rows = losses.map((loss) => [
    loss.pointer === "" ? "(root)" : endOf(printVisibleText(loss.pointer), 60),
    printVisibleText(loss.keyword),
    loss.direction,
    loss.enforcedBy,
    printVisibleText(placeOf(loss)),
    loss.witness === undefined ? "" : cutToWidth(printVisibleText(JSON.stringify(loss.witness)), 40),
  ]);
  const titles = ["lost at", "keyword", "direction", "held by", "in", "differs on"];
  return `${printTable(titles, rows, { columns }).join("\n")}\n`;
}

/** Shortens a pointer to its end, the most informative part. */
function endOf(pointer: string, columns: number): string {
  return pointer.length <= columns ? pointer : `…${pointer.slice(1 - columns)}`;
}

export function createLossData(loss: ShownLoss, place: string): JsonObject {
  return {
    dialect: loss.dialect,
    pointer: loss.pointer,
    place,
    keyword: loss.keyword,
    direction: loss.direction,
    enforcedBy: loss.enforcedBy,
    words: loss.words ?? null,
    witness: loss.witness ?? null,
  };
}
