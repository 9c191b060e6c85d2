import { type Namespaces, wrapInNamespaces } from "@hasp/schema/internal/entries";
import { CACHE_MARK, keepLastMark } from "@hasp/schema/internal/keywords";
import { resolveDialect, findDialectPlan, findLosses, fromDocumentUri } from "@hasp/compiler/model";
import { type DialectName, type JsonObject, type Loss } from "@hasp/schema";
import {
  code,
  type Code,
  printDocComment,
  importStatement,
  joinCode,
  printLineList,
  literal,
  name,
  typeNames,
} from "@hasp/compiler/code";
import { nameEntryType, printEntryType } from "./base/names.js";
import type { BuildToEmit, Emitter, EmitPlan, FileDraft, PartOf } from "./base/emitter.js";
import { declareGates, printGated, printModule } from "./base/module-text.js";
import { nameEntry, nameListing } from "./module-parts/dialect-entries.js";
import { sortBy, dropUndefined, groupBy, indexBy } from "@hasp/base/json";
import { printJson, listOfTexts, recordOfTexts } from "../typescript/json-text.js";
import { CODEGEN_ENTRIES } from "@hasp/compiler/layout";

/** Emits each provider's list as JSON, for any language. Entries of gated tools, and deferred ones, have files of their own. */
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
      lists.flatMap(({ dialect, tools, later, namespaces }): readonly FileDraft[] => {
        const textOf = (tool: string): string => partOf(tool)[dialect] ?? "";
        const byGate = groupBy(tools, (tool) => gates.get(tool));
        const gated = sortBy(
          [...byGate].flatMap(([gate, of]) => (gate === undefined ? [] : [[gate, of] as const])),
          ([key]) => key,
        ).map(([gate, of]) => [
          gate,
          keepLastMark(
            of.map((tool) => JSON.parse(textOf(tool)) as JsonObject),
            false,
          ),
        ]);
        const ungated = byGate.get(undefined) ?? [];
        const deferred = ungated.filter((tool) => later.includes(tool)).map(textOf);
        const first = ungated.filter((tool) => !later.includes(tool)).map(textOf);
        const isChanged = hasMark(plan, dialect) || Object.keys(namespaces).length > 0;
        const list = isChanged
          ? mapEntries(first, (entries) => wrapInNamespaces(keepLastMark(entries), namespaces))
          : first;
        return [
          { path: layout.providerList(name, dialect, "json"), owner: "hasp", text: listOfTexts(list) },
          ...(gated.length === 0 ? [] : [gatedDraft(layout.gatedList(name, dialect), Object.fromEntries(gated))]),
          ...(deferred.length === 0
            ? []
            : [{ path: layout.deferredList(name, dialect), owner: "hasp" as const, text: listOfTexts(deferred) }]),
        ];
      }),
    );
  },
};

function hasMark({ dialects }: EmitPlan, dialect: DialectName): boolean {
  return Object.hasOwn(findDialectPlan(dialects, dialect).extra ?? {}, CACHE_MARK);
}

function mapEntries(
  texts: readonly string[],
  map: (entries: readonly JsonObject[]) => readonly JsonObject[],
): readonly string[] {
  return map(texts.map((text) => JSON.parse(text) as JsonObject)).map((entry) => printJson(entry, 2));
}

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
    const byName = indexBy(build.tools, ({ name }) => name);
    return build.toolsets.flatMap((toolset) =>
      toolset.lists.map(({ dialect, tools, later, namespaces }) => {
        const path = build.layout.providerList(toolset.name, dialect, "ts");
        const listed = tools.flatMap((tool) => byName.get(tool) ?? []);
        return { path, owner: "hasp", code: listCode(path, dialect, { listed, later, namespaces }, build, partOf) };
      }),
    );
  },
};

function listCode(
  path: string,
  dialect: DialectName,
  {
    listed,
    later,
    namespaces,
  }: { readonly listed: BuildToEmit["tools"]; readonly later: readonly string[]; readonly namespaces: Namespaces },
  { layout, plan }: BuildToEmit,
  partOf: PartOf<{ readonly [dialect: string]: string }>,
): Code {
  const dialectPlan = findDialectPlan(plan.dialects, dialect);
  const { entry } = resolveDialect(dialectPlan);
  const kinds = listed.length === 0 ? [false] : listed.map(({ isText }) => isText);
  const types = new Map(kinds.map((isText) => [nameEntryType(entry, isText), printEntryType(dialectPlan, isText)]));
  // Without it, TypeScript would infer the type of the first entry for all.
  const held = types.size > 1 ? code`<${joinCode([...types.values()], " | ")}>` : code``;
  const isGrouped = Object.keys(namespaces).length > 0;
  if (isGrouped && entry.namespaceType !== undefined) types.set(entry.namespaceType, name(entry.namespaceType));
  const type = joinCode([...types.values()], " | ");
  const grouped = (list: Code): Code => (isGrouped ? code`inNamespaces(${list}, ${literal(namespaces)})` : list);
  const gates = listed.flatMap(({ featureGate }) => featureGate ?? []);
  const isMarked = hasMark(plan, dialect);
  const made = listed.map(({ name: tool, names, featureGate }) => ({
    isLater: later.includes(tool),
    featureGate,
    names,
    maker: partOf(tool)[dialect],
  }));
  const makers = [...new Set(made.flatMap(({ maker }) => maker ?? []))];
  const runtime = [
    ...typeNames([...types.keys(), ...(gates.length > 0 ? ["Features"] : [])]),
    ...(gates.length > 0 || isMarked ? [{ name: "listFor" }] : []),
    ...(isGrouped ? [{ name: "inNamespaces" }] : []),
    ...makers.map((maker) => ({ name: maker })),
  ];
  const callOf = ({ names, maker }: (typeof made)[number]): Code =>
    maker === undefined
      ? code`specs.${name(nameEntry(names, dialect))}()`
      : code`${name(maker)}(specs.${name(nameListing(names))}())`;
  const listsOf = (constant: string, tools: typeof made, use: string): readonly Code[] => {
    const ungated = tools.filter(({ featureGate }) => featureGate === undefined);
    // Only a list keeps one mark of the entries.
    const constantList = isMarked
      ? code`listFor(() => false, ${printLineList(ungated.map((each) => code`[() => ${callOf(each)}]`))})`
      : printLineList(ungated.map(callOf));
    const all = tools.map((each) => {
      const make = code`() => ${callOf(each)}`;
      return each.featureGate === undefined
        ? code`[${make}]`
        : printGated(each.featureGate, code`[${make}, ${literal(each.featureGate)}]`);
    });
    const opened = "The same, with the tools behind the feature gates that `features` opens.";
    return [
      code`${printDocComment([use])}export const ${name(constant)}: (${type})[] = ${grouped(constantList)};`,
      ...(tools.some(({ featureGate }) => featureGate !== undefined)
        ? [
            code`${printDocComment([opened])}export const ${name(`${constant}For`)} = (features: Features): (${type})[] => ${grouped(code`listFor${held}(features, ${printLineList(all)})`)};`,
          ]
        : []),
    ];
  };
  const imports = [
    importStatement(runtime, CODEGEN_ENTRIES.runtime),
    ...(listed.length === 0 ? [] : [code`import * as specs from ${literal(layout.importPath(path, layout.specs))};`]),
  ];
  const first = made.filter(({ isLater }) => !isLater);
  const deferred = made.filter(({ isLater }) => isLater);
  return printModule("the specs", imports, [
    ...declareGates(gates, "tools"),
    ...listsOf("tools", first, `For ${entry.use}.`),
    ...(deferred.length === 0
      ? []
      : listsOf("deferredTools", deferred, "For requests after the model has found these tools.")),
  ]);
}

type LossPart = {
  readonly losses?: string;
  /** The examples that the list does not show, by index. */
  readonly examples?: string;
  readonly excluded?: string;
};

/** `losses.json`: each dialect's losses and hidden examples per tool and its excluded tools, one per line. */
export const losses: Emitter<{ readonly [dialect: string]: LossPart }> = {
  name: "losses",
  part({ forms }) {
    const found = findLosses(forms);
    return Object.fromEntries(
      forms.flatMap((form): readonly (readonly [string, LossPart])[] => {
        if (form.kind === "excluded") return [[form.dialect, { excluded: JSON.stringify(form.reason) }]];
        const told = found.get(form.dialect)?.map(describeLoss) ?? [];
        const { hiddenExamples } = form.lowered;
        const part = {
          ...(told.length > 0 && { losses: JSON.stringify(told) }),
          ...(hiddenExamples.length > 0 && { examples: JSON.stringify(hiddenExamples) }),
        };
        return Object.keys(part).length === 0 ? [] : [[form.dialect, part]];
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
      const tools = lists.flatMap((list) => list.tools);
      const listed = told(tools, "losses");
      const examples = told(tools, "examples");
      const excluded = told(
        lists.flatMap((list) => list.excluded),
        "excluded",
      );
      return [
        dialect,
        recordOfTexts(
          [
            ["losses", recordOfTexts(listed, 4)],
            ...(examples.length === 0 ? [] : [["examples", recordOfTexts(examples, 4)] as const]),
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
