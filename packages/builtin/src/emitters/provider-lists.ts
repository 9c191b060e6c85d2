import { resolveDialect, findDialectPlan, findLosses, fromDocumentUri } from "@hasp/compiler/model";
import { type DialectName, type JsonObject, type JsonValue, type Loss } from "@hasp/schema";
import {
  code,
  type Code,
  printDocComment,
  importStatement,
  printLineList,
  literal,
  name,
  typeNames,
} from "@hasp/compiler/code";
import { printEntryType } from "./base/names.js";
import type { BuildToEmit, Emitter, FileDraft, PartOf } from "./base/emitter.js";
import { declareGates, printGated, printModule } from "./base/module-text.js";
import { nameEntry, nameListing } from "./module-parts/dialect-entries.js";
import { sortBy, dropUndefined, groupBy } from "@hasp/base/json";
import { printJson, listOfTexts, recordOfTexts } from "../typescript/json-text.js";
import { CODEGEN_ENTRIES } from "@hasp/compiler/layout";

/** Emits each provider's list as JSON, for any language. Entries of gated tools are in a second file. */
export const providerListJson: Emitter<{ readonly [dialect: string]: string }> = {
  name: "provider-list-json",
  part: ({ forms, plan }) =>
    Object.fromEntries(
      forms.flatMap((form) =>
        form.kind === "listed" && plan.jsonLists === true
          ? [[form.dialect, printJson(form.lowered.definition, 2)] as const]
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
        const gated = sortBy(
          [...byGate].flatMap(([gate, of]) => (gate === undefined ? [] : [[gate, of] as const])),
          ([key]) => key,
        ).map(([gate, of]) => [gate, of.map((tool) => JSON.parse(textOf(tool)) as JsonValue)]);
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
  return { path, owner: "hasp", text: `${printJson(byGate, 0)}\n` };
}

/** Emits a typed module per list. Spec modules create the entries, so a bundler drops unused dialects. */
export const providerListTypeScript: Emitter<{ readonly [dialect: string]: string }> = {
  name: "provider-list-typescript",
  // The makers of the entries for which the spec module has no function.
  part: ({ entries }) =>
    Object.fromEntries(
      [...entries.made].flatMap(([dialect, { maker, changes }]) => (changes === undefined ? [[dialect, maker]] : [])),
    ),
  files: (build, partOf) => {
    const byName = new Map(build.tools.map((tool) => [tool.name, tool]));
    return build.toolsets.flatMap((toolset) =>
      toolset.lists.map(({ dialect, tools }) => {
        const path = build.layout.providerList(toolset.name, dialect, "ts");
        const listed = tools.flatMap((tool) => byName.get(tool) ?? []);
        return { path, owner: "hasp", code: listCode(path, dialect, listed, build, partOf) };
      }),
    );
  },
};

function listCode(
  path: string,
  dialect: DialectName,
  listed: BuildToEmit["tools"],
  { layout, plan }: BuildToEmit,
  partOf: PartOf<{ readonly [dialect: string]: string }>,
): Code {
  const dialectPlan = findDialectPlan(plan.dialects, dialect);
  const { type, use } = resolveDialect(dialectPlan).entry;
  const entry = printEntryType(dialectPlan);
  const gates = listed.flatMap(({ featureGate }) => featureGate ?? []);
  const hasGates = gates.length > 0;
  const made = listed.map(({ name: tool, names, featureGate }) => ({
    featureGate,
    names,
    maker: partOf(tool)[dialect],
  }));
  const makers = [...new Set(made.flatMap(({ maker }) => maker ?? []))];
  const runtime = [
    ...typeNames(hasGates ? [type, "Features"] : [type]),
    ...(hasGates ? [{ name: "listFor" }] : []),
    ...makers.map((maker) => ({ name: maker })),
  ];
  const callOf = ({ names, maker }: (typeof made)[number]): Code =>
    maker === undefined
      ? code`specs.${name(nameEntry(names, dialect))}()`
      : code`${name(maker)}(specs.${name(nameListing(names))}())`;
  const ungated = made.flatMap((each) => (each.featureGate === undefined ? [callOf(each)] : []));
  const all = made.map((each) => {
    const make = code`() => ${callOf(each)}`;
    return each.featureGate === undefined
      ? code`[${make}]`
      : printGated(each.featureGate, code`[${make}, ${literal(each.featureGate)}]`);
  });
  const imports = [
    importStatement(runtime, CODEGEN_ENTRIES.runtime),
    ...(listed.length === 0 ? [] : [code`import * as specs from ${literal(layout.importPath(path, layout.specs))};`]),
  ];
  return printModule("the specs", imports, [
    ...declareGates(gates, "tools"),
    code`${printDocComment([`For ${use}.`])}export const tools: (${entry})[] = ${printLineList(ungated)};`,
    ...(hasGates
      ? [
          code`${printDocComment(["The same, with the tools behind the feature gates that `features` opens."])}export const toolsFor = (features: Features): (${entry})[] => listFor(features, ${printLineList(all)});`,
        ]
      : []),
  ]);
}

type LossPart = {
  readonly losses?: string;
  readonly excluded?: string;
};

/** `losses.json`: each dialect's losses per tool and its excluded tools, one per line. */
export const losses: Emitter<{ readonly [dialect: string]: LossPart }> = {
  name: "losses",
  part({ forms }) {
    const found = findLosses(forms);
    return Object.fromEntries(
      forms.flatMap((form): readonly (readonly [string, LossPart])[] => {
        if (form.kind === "excluded") return [[form.dialect, { excluded: JSON.stringify(form.reason) }]];
        const told = found.get(form.dialect)?.map(describeLoss) ?? [];
        return told.length === 0 ? [] : [[form.dialect, { losses: JSON.stringify(told) }]];
      }),
    );
  },
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

function describeLoss({ pointer, keyword, direction, enforcedBy, words, witness, origin }: Loss): JsonObject {
  return {
    pointer,
    keyword,
    direction,
    enforcedBy,
    ...dropUndefined({ words, witness }),
    from: `${fromDocumentUri(origin.uri)}#${origin.pointer}`,
  };
}
