import type { DialectId, JsonObject, Loss } from "@hasp/schema";
import type { ToolForm } from "../../model/lowered.js";
import { fromDocumentUri } from "../../model/document-uri.js";
import { jsonText, recordOfTexts } from "../../typescript/json-text.js";
import { groupBy } from "../../model/group-by.js";
import type { Emitter } from "./base/emitter.js";

type LossPart = {
  /** The losses as text; absent if there are none. */
  readonly losses?: string;
  /** The reason as text, for a tool that is left out. */
  readonly excluded?: string;
};

/** `losses.json`: what each dialect loses of each tool, and which tools it leaves out. */
export const losses: Emitter<{ readonly [dialect in DialectId]?: LossPart }> = {
  name: "losses",
  part: ({ forms }) => Object.fromEntries(forms.flatMap((form) => lossPart(form).map((part) => [form.dialect, part]))),
  // A tool is lowered alike for every toolset, so print each loss once.
  files: ({ toolsets, layout }, partOf) => {
    const byDialect = groupBy(
      toolsets.flatMap(({ lists }) => lists),
      ({ dialect }) => dialect,
    );
    const entries = [...byDialect].map(([dialect, lists]) => {
      const told = (tools: readonly string[], key: keyof LossPart): readonly (readonly [string, string])[] =>
        [...new Set(tools)].toSorted().flatMap((tool) => {
          const text = partOf(tool)[dialect]?.[key];
          return text === undefined ? [] : [[tool, text]];
        });
      const listed = told(
        lists.flatMap(({ tools }) => tools),
        "losses",
      );
      const excluded = told(
        lists.flatMap((list) => list.excluded),
        "excluded",
      );
      return [
        dialect,
        recordOfTexts(
          [
            ["losses", recordOfTexts(listed, 4)],
            ["excluded", recordOfTexts(excluded, 4)],
          ],
          2,
        ),
      ] as const;
    });
    return [{ path: layout.losses, owner: "hasp", text: `${recordOfTexts(entries, 0)}\n` }];
  },
};

function lossPart(form: ToolForm): readonly LossPart[] {
  if (form.kind === "excluded") return [{ excluded: jsonText(form.reason, 6) }];
  const { losses: found } = form.lowered.lowering;
  return found.length === 0 ? [] : [{ losses: jsonText(found.map(describeLoss), 6) }];
}

function describeLoss({ pointer, keyword, direction, enforcedBy, words, witness, origin }: Loss): JsonObject {
  return {
    pointer,
    keyword,
    direction,
    enforcedBy,
    ...(words === undefined ? {} : { words }),
    ...(witness === undefined ? {} : { witness }),
    from: `${fromDocumentUri(origin.uri)}#${origin.pointer}`,
  };
}
