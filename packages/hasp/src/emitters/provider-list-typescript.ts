import { dialects, type DialectId } from "@hasp/schema";
import { code, type Code, docComment, joinCode, name } from "../typescript/code.js";
import { importStatement, typeNames } from "../typescript/declarations.js";
import type { GeneratedNames } from "../typescript/names.js";
import { dialectName, entryType } from "./base/dialect-constants.js";
import type { BuildToEmit, Emitter, FileDraft } from "./base/emitter.js";
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
    const names = new Map(build.tools.map((tool) => [tool.name, tool.names]));
    return build.toolsets.flatMap((toolset) =>
      toolset.lists.flatMap(({ dialect, tools }) => {
        const path = build.layout.providerList(toolset.name, dialect, "ts");
        const listed = tools.flatMap((tool) => {
          const ofTool = names.get(tool);
          return ofTool === undefined ? [] : [{ name: tool, names: ofTool }];
        });
        return listDrafts(path, dialect, listed, build);
      }),
    );
  },
};

/** A tool in a list. */
interface Listed {
  readonly name: string;
  readonly names: GeneratedNames;
}

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
    return [draft(path, listCode(dialect, "tools", toolImports(path, dialect, listed, build), build))];
  }
  const parts = groups.map(({ prefix, items }) => ({
    to: layout.part(path, prefix),
    part: `tools${groupSuffix(prefix)}`,
    items,
  }));
  const imports = parts.map(({ to, part }) => importStatement([{ name: part }], importPath(path, to)));
  const entries = parts.map(({ part }) => code`...${name(part)}`);
  return [
    draft(path, listCode(dialect, "tools", { imports, entries }, build)),
    ...parts.map(({ to, part, items }) =>
      draft(to, listCode(dialect, part, toolImports(to, dialect, items, build), build)),
    ),
  ];
}

/** About what a tool adds to a list. */
function lineLength({ names }: Listed): number {
  return names.camel.length * 3 + 60;
}

/** The entries of a list, and the imports that they need. */
interface ListParts {
  readonly imports: readonly Code[];
  readonly entries: readonly Code[];
}

function toolImports(path: string, dialect: DialectId, listed: readonly Listed[], { layout }: BuildToEmit): ListParts {
  const modules = importPath(path, layout.toolModules);
  return {
    imports: listed.map(({ names }) =>
      importStatement([{ name: dialectName(dialect), as: localName(names) }], `${modules}/${names.kebab}.js`),
    ),
    entries: listed.map(({ names }) => code`${name(localName(names))}()`),
  };
}

function listCode(dialect: DialectId, constant: string, { imports, entries }: ListParts, { plan }: BuildToEmit): Code {
  const { type, use } = dialects[dialect].entry;
  const entry = entryType(plan.dialects.find(({ id }) => id === dialect) ?? { id: dialect });
  return code`${header("the specs")}

${importStatement(typeNames([type]), "@hasp/runtime/codegen/v1")}
${joinCode(imports, "\n")}

${docComment([`For ${use}.`])}export const ${name(constant)}: (${entry})[] = [${joinCode(entries, ", ")}];`;
}

/** The suffix keeps it apart from the words of the language: a tool may be called `delete`. */
function localName({ camel }: GeneratedNames): string {
  return `${camel}Tool`;
}
