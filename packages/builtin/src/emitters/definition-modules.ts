import { sortBy } from "@hasp/base/json";
import type { JsonValue } from "@hasp/schema";
import { code, type Code, importStatement, markAsCode, typeNames } from "@hasp/compiler/code";
import { typeDeclaration } from "../typescript/type-node.js";
import type { TypeContext } from "../typescript/type-of-schema.js";
import type { BuildToEmit, Emitter, FileDraft, ModuleDraft, ToolToEmit } from "./base/emitter.js";
import { draftGroups } from "./base/groups.js";
import { typeDefinition } from "./base/shared-definitions.js";
import { printModule } from "./base/module-text.js";
import { printLazyConstant, createSchemaPrinter, chooseSchemaType } from "./module-parts/shared-constants.js";
import { CODEGEN_ENTRIES } from "@hasp/compiler/layout";

type SharedDeclaration = {
  readonly name: string;
  readonly text: string;
  readonly uses: readonly string[];
  /** The constant's type from `@hasp/runtime/codegen/v1`; `null` if this declares a type. */
  readonly schemaType: string | null;
};

/** Emits shared definitions: types, and a constant for each form. The first tool that uses one declares it. */
export const definitionModules: Emitter<readonly SharedDeclaration[]> = {
  name: "definition-modules",
  part: (tool) => [...typeDeclarations(tool), ...schemaDeclarations(tool)],
  files: (build, partOf) => {
    const declared = sortBy(
      build.tools.flatMap((tool) => partOf(tool.name)),
      ({ name }) => name,
    );
    const { sharedTypes, definitions } = build.layout;
    return [
      ...drafts(
        sharedTypes,
        code`export type`,
        declared.filter((each) => each.schemaType === null),
        build,
      ),
      ...drafts(
        definitions,
        code`export`,
        declared.filter((each) => each.schemaType !== null),
        build,
      ),
    ];
  },
};

function typeDeclarations({ shared }: ToolToEmit): readonly SharedDeclaration[] {
  return shared.declares.flatMap((use) => {
    const names = shared.types.get(use.definition);
    if (names === undefined) return [];
    const declaration = (declared: string, isFilled: boolean): SharedDeclaration => {
      const used = new Set<string>();
      const nameOf: TypeContext["nameOf"] = (node, context) => {
        const found = typeof node === "object" ? shared.typeOf(node, context.isFilled) : undefined;
        if (found !== undefined) used.add(found);
        return found;
      };
      const { text } = typeDeclaration(declared, typeDefinition(use, isFilled, nameOf), use.comment);
      return { name: declared, text, uses: [...used], schemaType: null };
    };
    const { filled, plain } = names;
    return [...(filled === plain ? [] : [declaration(plain, false)]), declaration(filled, true)];
  });
}

function schemaDeclarations({ shared }: ToolToEmit): readonly SharedDeclaration[] {
  return [...shared.schemas].flatMap(([form, { name: declared, isDeclaredHere }]) => {
    const node = isDeclaredHere ? shared.nodeOf(form) : undefined;
    if (node === undefined) return [];
    const printer = createSchemaPrinter(shared);
    const type = chooseSchemaType(node as JsonValue);
    const { text } = code`export ${printLazyConstant(declared, type, printer.print(node as JsonValue, node))}`;
    return [{ name: declared, text, uses: [...printer.used], schemaType: type }];
  });
}

function drafts(
  path: string,
  exported: Code,
  declared: readonly SharedDeclaration[],
  { layout }: BuildToEmit,
): readonly FileDraft[] {
  if (declared.length === 0) return [];
  const print = (items: readonly SharedDeclaration[], to: string): ModuleDraft => {
    const here = new Set(items.map(({ name }) => name));
    const others = new Set(items.flatMap(({ uses }) => uses).filter((name) => !here.has(name)));
    const types = new Set(items.flatMap(({ schemaType: type }) => type ?? []));
    const named = types.size === 0 ? typeNames(others) : Array.from(others, (name) => ({ name }));
    const imports = [
      ...(types.size === 0
        ? []
        : [importStatement([...typeNames(["Lazy", ...types]), { name: "lazySchema" }], CODEGEN_ENTRIES.runtime)]),
      ...(others.size === 0 ? [] : [importStatement(named, layout.importPath(to, path))]),
    ];
    const statements = items.map(({ text }) => markAsCode(text));
    return { code: printModule("the specs", imports, statements) };
  };
  return draftGroups(path, declared, layout, { exported, sizeOf: ({ text }) => text.length, print });
}
