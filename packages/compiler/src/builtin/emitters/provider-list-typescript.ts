import { dialects, type DialectId } from "@hasp/schema";
import { code, type Code, docComment, joinCode, literal, name } from "../../typescript/code.js";
import { importStatement, typeNames } from "../../typescript/declarations.js";
import type { GeneratedNames } from "../../typescript/names.js";
import { dialectName, entryType } from "./base/dialect-constants.js";
import type { BuildToEmit, Emitter, FileDraft } from "./base/emitter.js";
import { gateDeclarations, unlessShut } from "./base/feature-gates.js";
import { groupsOf, groupSuffix } from "./base/groups.js";
import { header } from "./header.js";
import { importPath } from "./base/layout.js";

/**
 * One typed module per toolset and dialect: the list that the provider's own SDK takes. The tools' modules make the
 * entries; a bundler that takes one list leaves out what the other dialects say.
 */
export const providerListTypeScript: Emitter<null> = {
  name: "provider-list-typescript",
  part: () => null,
  files: (build) => {
    const byName = new Map(build.tools.map((tool) => [tool.name, tool]));
    return build.toolsets.flatMap((toolset) =>
      toolset.lists.flatMap(({ dialect, tools }) => {
        const path = build.layout.providerList(toolset.name, dialect, "ts");
        const listed = tools.flatMap((tool) => byName.get(tool) ?? []);
        return listDrafts(path, dialect, listed, build);
      }),
    );
  },
};

/** A tool in a list. */
type Listed = BuildToEmit["tools"][number];

/** The module of a list, and those of its parts where it is too large for one. */
function listDrafts(
  path: string,
  dialect: DialectId,
  listed: readonly Listed[],
  build: BuildToEmit,
): readonly FileDraft[] {
  const { layout } = build;
  const groups = groupsOf(listed, lineLength);
  const [only] = groups;
  const draft = (to: string, source: Code): FileDraft => ({ path: to, owner: "hasp", code: source });
  if (only === undefined || groups.length === 1) {
    return [draft(path, listCode(dialect, WHOLE, toolImports(path, dialect, listed, build), build))];
  }
  const parts = groups.map(({ prefix, items }) => ({
    to: layout.part(path, prefix),
    part: `tools${groupSuffix(prefix)}`,
    partFor: `toolsFor${groupSuffix(prefix)}`,
    items,
  }));
  const hasGates = (items: readonly Listed[]): boolean => items.some(({ featureGate }) => featureGate !== undefined);
  const whole: ListParts = {
    imports: parts.map(({ to, part, partFor, items }) =>
      importStatement(
        [part, ...(hasGates(items) ? [partFor] : [])].map((each) => ({ name: each })),
        importPath(path, to),
      ),
    ),
    entries: parts.map(({ part }) => code`...${name(part)}`),
    gates: [],
    ...(hasGates(listed)
      ? {
          all: code`[${joinCode(
            parts.map(({ part, partFor, items }) =>
              hasGates(items) ? code`...${name(partFor)}(features)` : code`...${name(part)}`,
            ),
            ", ",
          )}]`,
        }
      : {}),
  };
  return [
    draft(path, listCode(dialect, WHOLE, whole, build)),
    ...parts.map(({ to, part, partFor, items }) =>
      draft(to, listCode(dialect, { part, partFor }, toolImports(to, dialect, items, build), build)),
    ),
  ];
}

/** The names of a list, and of the function that adds what is behind feature gates. */
interface ListNames {
  readonly part: string;
  readonly partFor: string;
}

const WHOLE: ListNames = { part: "tools", partFor: "toolsFor" };

/** About what a tool adds to a list. */
function lineLength({ names }: Listed): number {
  return names.camel.length * 3 + 60;
}

/** The parts of a list. */
interface ListParts {
  readonly imports: readonly Code[];
  /** The entries without a gate. */
  readonly entries: readonly Code[];
  /** The gates that the module itself asks about. */
  readonly gates: readonly string[];
  /** The list for some `features`, if a tool is behind a gate. */
  readonly all?: Code;
}

function toolImports(path: string, dialect: DialectId, listed: readonly Listed[], { layout }: BuildToEmit): ListParts {
  const modules = importPath(path, layout.toolModules);
  const gates = listed.flatMap(({ featureGate }) => featureGate ?? []);
  const all = listed.map(({ names, featureGate }) => {
    const make = name(localName(names));
    return featureGate === undefined
      ? code`[${make}]`
      : unlessShut(featureGate, code`[${make}, ${literal(featureGate)}]`);
  });
  return {
    imports: listed.map(({ names }) =>
      importStatement([{ name: dialectName(dialect), as: localName(names) }], `${modules}/${names.kebab}.js`),
    ),
    entries: listed
      .filter(({ featureGate }) => featureGate === undefined)
      .map(({ names }) => code`${name(localName(names))}()`),
    gates,
    ...(gates.length === 0 ? {} : { all: code`listFor(features, [${joinCode(all, ", ")}])` }),
  };
}

function listCode(
  dialect: DialectId,
  { part, partFor }: ListNames,
  { imports, entries, gates, all }: ListParts,
  { plan }: BuildToEmit,
): Code {
  const { type, use } = dialects[dialect].entry;
  const entry = entryType(plan.dialects.find(({ id }) => id === dialect) ?? { id: dialect });
  const runtime = [
    ...typeNames(all === undefined ? [type] : [type, "Features"]),
    ...(gates.length === 0 ? [] : [{ name: "listFor" }]),
  ];
  const gated =
    all === undefined
      ? []
      : [
          code`${docComment(["The same, with the tools behind the feature gates that `features` opens."])}export const ${name(partFor)} = (features: Features): (${entry})[] => ${all};`,
        ];
  return code`${header("the specs")}

${importStatement(runtime, "@hasp/runtime/codegen/v1")}
${joinCode(imports, "\n")}

${joinCode(
  [
    ...gateDeclarations(gates, "tools"),
    code`${docComment([`For ${use}.`])}export const ${name(part)}: (${entry})[] = [${joinCode(entries, ", ")}];`,
    ...gated,
  ],
  "\n\n",
)}`;
}

/** The suffix keeps it apart from the words of the language: a tool may be called `delete`. */
function localName({ camel }: GeneratedNames): string {
  return `${camel}Tool`;
}
