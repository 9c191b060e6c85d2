import { dialects, type DialectId } from "@hasp/schema";
import { code, type Code, docComment, joinCode, literal, name } from "../../typescript/code.js";
import { importStatement, typeNames } from "../../typescript/declarations.js";
import { printEntryType } from "./base/dialect-constants.js";
import type { BuildToEmit, Emitter } from "./base/emitter.js";
import { declareGates, printGated } from "./base/feature-gates.js";
import { printModule } from "./base/header.js";
import { importPath } from "../../typescript/layout.js";
import { nameEntry } from "./module-parts/dialect-entries.js";

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
