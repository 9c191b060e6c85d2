import { dialects, type DialectId, type JsonObject, type JsonValue } from "@hasp/schema";
import { code, type Code, docComment, joinCode, literal, name } from "../../typescript/code.js";
import { importStatement, typeNames } from "../../typescript/declarations.js";
import { printEntryType } from "./base/dialect-constants.js";
import type { BuildToEmit, Emitter, FileDraft } from "./base/emitter.js";
import { declareGates, printGated } from "./base/feature-gates.js";
import { printModule } from "./base/header.js";
import { importPath } from "../../typescript/layout.js";
import { nameEntry } from "./module-parts/dialect-entries.js";
import { groupBy } from "../../model/group-by.js";
import { jsonText, listOfTexts } from "../../typescript/json-text.js";

/**
 * One JSON file per toolset and dialect, if the configuration asks for them: the provider's tool list, ready to be sent
 * from any language. A second file has the entries of gated tools, by gate. A tool's part is the text of its entries.
 */
export const providerListJson: Emitter<{ readonly [dialect in DialectId]?: string }> = {
  name: "provider-list-json",
  part: ({ forms, plan }) =>
    Object.fromEntries(
      forms.flatMap((form) =>
        form.kind === "listed" && plan.jsonLists === true
          ? [[form.dialect, jsonText(form.lowered.definition, 2)] as const]
          : [],
      ),
    ),
  files: ({ tools: all, toolsets, layout, plan }, partOf) => {
    if (plan.jsonLists !== true) return [];
    const gates = new Map(all.map(({ name, featureGate }) => [name, featureGate]));
    return toolsets.flatMap(({ name, lists }) =>
      lists.flatMap(({ dialect, tools }): readonly FileDraft[] => {
        const textOf = (tool: string): string => partOf(tool)[dialect] ?? "";
        const byGate = groupBy(tools, (tool) => gates.get(tool));
        const gated = [...byGate]
          .flatMap(([gate, of]) => (gate === undefined ? [] : [[gate, of] as const]))
          .toSorted(([left], [right]) => (left < right ? -1 : 1))
          .map(([gate, of]) => [gate, of.map((tool) => JSON.parse(textOf(tool)) as JsonValue)]);
        const list = listOfTexts((byGate.get(undefined) ?? []).map(textOf));
        return [
          { path: layout.providerList(name, dialect, "json"), owner: "hasp", text: list },
          ...(gated.length === 0 ? [] : [gatedDraft(layout.gatedList(name, dialect), Object.fromEntries(gated))]),
        ];
      }),
    );
  },
};

function gatedDraft(path: string, byGate: JsonObject): FileDraft {
  return { path, owner: "hasp", text: `${jsonText(byGate, 0)}\n` };
}

/**
 * One typed module per toolset and dialect: the list that the provider's SDK takes. The spec modules create the
 * entries, so a bundler drops dialects that are not used.
 */
export const providerListTypeScript: Emitter<null> = {
  name: "provider-list-typescript",
  part: () => null,
  files: (build) => {
    const byName = new Map(build.tools.map((tool) => [tool.name, tool]));
    return build.toolsets.flatMap((toolset) =>
      toolset.lists.map(({ dialect, tools }) => {
        const path = build.layout.providerList(toolset.name, dialect, "ts");
        const listed = tools.flatMap((tool) => byName.get(tool) ?? []);
        return { path, owner: "hasp", code: listCode(path, dialect, listed, build) };
      }),
    );
  },
};

function listCode(path: string, dialect: DialectId, listed: BuildToEmit["tools"], { layout, plan }: BuildToEmit): Code {
  const { type, use } = dialects[dialect].entry;
  const entry = printEntryType(plan.dialects.find(({ id }) => id === dialect) ?? { id: dialect });
  const gates = listed.flatMap(({ featureGate }) => featureGate ?? []);
  const hasGates = gates.length > 0;
  const runtime = [...typeNames(hasGates ? [type, "Features"] : [type]), ...(hasGates ? [{ name: "listFor" }] : [])];
  const made = listed.map(({ names, featureGate }) => ({
    featureGate,
    make: code`specs.${name(nameEntry(names, dialect))}`,
  }));
  const ungated = made.flatMap(({ featureGate, make }) => (featureGate === undefined ? [code`${make}()`] : []));
  const all = made.map(({ featureGate, make }) =>
    featureGate === undefined ? code`[${make}]` : printGated(featureGate, code`[${make}, ${literal(featureGate)}]`),
  );
  const imports = [
    importStatement(runtime, "@hasp/runtime/codegen/v1"),
    ...(listed.length === 0 ? [] : [code`import * as specs from ${literal(importPath(path, layout.specs))};`]),
  ];
  return printModule("the specs", imports, [
    ...declareGates(gates, "tools"),
    code`${docComment([`For ${use}.`])}export const tools: (${entry})[] = [${joinCode(ungated, ", ")}];`,
    ...(hasGates
      ? [
          code`${docComment(["The same, with the tools behind the feature gates that `features` opens."])}export const toolsFor = (features: Features): (${entry})[] => listFor(features, [${joinCode(all, ", ")}]);`,
        ]
      : []),
  ]);
}
