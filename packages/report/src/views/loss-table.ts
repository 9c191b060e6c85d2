import type { JsonObject, Loss } from "@hasp/schema";
import { cutToWidth } from "../reporters/display-width.js";
import { tableLines } from "./table.js";
import { visibleText } from "../../../compiler/src/text/visible-text.js";

export function lossTable<L extends Loss>(losses: readonly L[], placeOf: (loss: L) => string, columns: number): string {
  if (losses.length === 0) return "";
  const rows = losses.map((loss) => [
    loss.pointer === "" ? "(root)" : endOf(visibleText(loss.pointer), 60),
    visibleText(loss.keyword),
    loss.direction,
    loss.enforcedBy,
    visibleText(placeOf(loss)),
    loss.witness === undefined ? "" : cutToWidth(visibleText(JSON.stringify(loss.witness)), 40),
  ]);
  const lines = tableLines(
    [
      { title: "lost at" },
      { title: "keyword" },
      { title: "direction" },
      { title: "held by" },
      { title: "in" },
      { title: "differs on" },
    ],
    rows,
    columns,
  );
  return `${lines.join("\n")}\n`;
}

/** Shortens a pointer to its end, the most informative part. */
function endOf(pointer: string, columns: number): string {
  return pointer.length <= columns ? pointer : `…${pointer.slice(1 - columns)}`;
}

export function lossData(loss: Loss, place: string): JsonObject {
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
