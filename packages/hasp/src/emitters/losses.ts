import type { JsonObject, JsonValue } from "@hasp/schema";
import type { LoweredToolset } from "../model/lowered.js";
import { fromDocumentUri } from "../phases/2-resolve/document-uri.js";
import { jsonText } from "../typescript/data-literal.js";
import { groupBy } from "../typescript/group-by.js";
import type { Emitter } from "./emitter.js";

/** `losses.json`: what each dialect cannot carry, tool by tool, and which tools it leaves out. */
export const losses: Emitter = {
  name: "losses",
  emit: ({ toolsets, layout }) => [{ path: layout.losses, owner: "hasp", text: jsonText(lossReport(toolsets)) }],
};

/** By dialect, then by tool. A tool is lowered alike for every toolset, so that each loss is told once. */
export function lossReport(toolsets: readonly LoweredToolset[]): JsonObject {
  const lists = toolsets.flatMap((toolset) => toolset.lists);
  const byDialect = groupBy(lists, ({ dialect }) => dialect);
  return Object.fromEntries(
    [...byDialect].map(([dialect, ofDialect]) => {
      const lossesByTool = new Map(ofDialect.flatMap(({ tools }) => tools).map(({ tool, lowering }) => [tool.name, lowering.losses]));
      const excluded = new Map(ofDialect.flatMap((list) => list.excluded).map(({ tool, reason }) => [tool.name, reason]));
      return [
        dialect,
        {
          losses: sortedRecord(
            [...lossesByTool].filter(([, found]) => found.length > 0).map(([tool, found]) => [tool, found.map(lossEntry)]),
          ),
          excluded: sortedRecord([...excluded]),
        },
      ];
    }),
  );
}

function lossEntry(loss: LoweredToolset["lists"][number]["tools"][number]["lowering"]["losses"][number]): JsonObject {
  return {
    pointer: loss.pointer,
    keyword: loss.keyword,
    direction: loss.direction,
    enforcedBy: loss.enforcedBy,
    ...(loss.words === undefined ? {} : { words: loss.words }),
    ...(loss.witness === undefined ? {} : { witness: loss.witness }),
    from: `${fromDocumentUri(loss.origin.uri)}#${loss.origin.pointer}`,
  };
}

function sortedRecord(entries: readonly (readonly [name: string, value: JsonValue])[]): JsonObject {
  return Object.fromEntries(entries.toSorted(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0)));
}
