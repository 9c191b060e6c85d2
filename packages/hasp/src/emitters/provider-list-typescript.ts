import { dialects, type DialectId } from "@hasp/schema";
import { code, type Code, docComment, joinCode, name } from "../typescript/code.js";
import { importStatement, typeNames } from "../typescript/declarations.js";
import type { GeneratedNames } from "../typescript/names.js";
import { dialectName, entryType } from "./base/dialect-constants.js";
import type { BuildToEmit, Emitter } from "./base/emitter.js";
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
      toolset.lists.map(({ dialect, tools }) => {
        const path = build.layout.providerList(toolset.name, dialect, "ts");
        const listed = tools.flatMap((tool) => names.get(tool) ?? []);
        return { path, owner: "hasp", code: listCode(path, dialect, listed, build) };
      }),
    );
  },
};

function listCode(
  path: string,
  dialect: DialectId,
  listed: readonly GeneratedNames[],
  { layout, plan }: BuildToEmit,
): Code {
  const { type, use } = dialects[dialect].entry;
  const modules = importPath(path, layout.toolModules);
  const imports = listed.map((tool) =>
    importStatement([{ name: dialectName(dialect), as: localName(tool) }], `${modules}/${tool.kebab}.js`),
  );
  const entries = listed.map((tool) => code`${name(localName(tool))}()`);
  const entry = entryType(plan.dialects.find(({ id }) => id === dialect) ?? { id: dialect });
  return code`${header("the specs")}

${importStatement(typeNames([type]), "@hasp/runtime/codegen/v1")}
${joinCode(imports, "\n")}

${docComment([`For ${use}.`])}export const tools: (${entry})[] = [${joinCode(entries, ", ")}];`;
}

/** The suffix keeps it apart from the words of the language: a tool may be called `delete`. */
function localName({ camel }: GeneratedNames): string {
  return `${camel}Tool`;
}
