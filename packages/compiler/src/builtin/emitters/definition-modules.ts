import type { JsonValue } from "@hasp/schema";
import { code, type Code, joinCode, literal, name, printedCode } from "../../typescript/code.js";
import { importStatement, typeNames } from "../../typescript/declarations.js";
import { typeDeclaration } from "../../typescript/print-type.js";
import type { TypeContext } from "../../typescript/type-of-schema.js";
import { groupBy } from "../../model/group-by.js";
import type { BuildToEmit, Emitter, FileDraft, ToolToEmit } from "./base/emitter.js";
import { importPath } from "./base/layout.js";
import { typeOfDefinition } from "./base/shared-definitions.js";
import { header } from "./header.js";
import { schemaPrinter, schemaType, type SharedImport, sharedImports } from "./module-parts/shared-constants.js";
import { importsOf } from "./tool-types.js";

/** A type or a constant in the module of its definition. */
type Declaration = {
  readonly module: string;
  readonly name: string;
  readonly isType: boolean;
  readonly text: string;
  /** Its imports from this module and from others. */
  readonly imports: readonly { readonly name: string; readonly module: string; readonly isType: boolean }[];
  /** The types of `@hasp/runtime/codegen/v1` that it needs. */
  readonly runtimeTypes: readonly string[];
};

/**
 * One module per definition that specs share: its types, under its author's name, and what it says in schemas, a
 * constant for each form that it takes there. A tool's part declares what it is the first to use. `types.ts` has all the
 * types under one roof.
 */
export const definitionModules: Emitter<readonly Declaration[]> = {
  name: "definition-modules",
  part: (tool) => [...typeDeclarations(tool), ...schemaDeclarations(tool)],
  files: (build, partOf) => {
    const byModule = groupBy(
      build.tools.flatMap((tool) => partOf(tool.name)),
      ({ module }) => module,
    );
    const types = [...byModule.values()].flat().filter(({ isType }) => isType);
    return [
      ...[...byModule].map(([module, declared]) => moduleDraft(build, module, declared)),
      ...(types.length === 0 ? [] : [typesDraft(build, types)]),
    ];
  },
};

function typeDeclarations({ shared }: ToolToEmit): readonly Declaration[] {
  return shared.declares.flatMap((use) => {
    const names = shared.types.get(use.definition);
    if (names === undefined) return [];
    const declaration = (declared: string, isFilled: boolean): Declaration => {
      const used = new Set<string>();
      const nameOf: TypeContext["nameOf"] = (node, context) => {
        const found = typeof node === "object" ? shared.typeOf(node, context.isFilled) : undefined;
        if (found !== undefined) used.add(found);
        return found;
      };
      const { text } = typeDeclaration(declared, typeOfDefinition(use, isFilled, nameOf), use.comment);
      return {
        module: names.module,
        name: declared,
        isType: true,
        text,
        imports: plainImports(importsOf(used, shared.types.values())),
        runtimeTypes: [],
      };
    };
    const { filled, plain } = names;
    return [...(filled === plain ? [] : [declaration(plain, false)]), declaration(filled, true)];
  });
}

function schemaDeclarations({ shared }: ToolToEmit): readonly Declaration[] {
  return [...shared.schemas].flatMap(([form, { name: declared, module, isDeclaredHere }]) => {
    const node = isDeclaredHere ? shared.nodeOf(form) : undefined;
    if (node === undefined) return [];
    const printer = schemaPrinter(shared);
    const type = schemaType(node as JsonValue);
    const value = literal(printer.print(node as JsonValue, node));
    const text = code`export const ${name(declared)}: ${name(type)} = ${value};`.text;
    return [{ module, name: declared, isType: false, text, imports: plainImports(printer.used), runtimeTypes: [type] }];
  });
}

function plainImports(imports: readonly SharedImport[]): Declaration["imports"] {
  return imports.map(({ name: imported, module, isType = false }) => ({ name: imported, module, isType }));
}

function moduleDraft({ layout }: BuildToEmit, module: string, declared: readonly Declaration[]): FileDraft {
  const path = layout.definition(module);
  const imports = new Map<string, SharedImport>();
  for (const each of declared.flatMap((declaration) => declaration.imports)) {
    if (each.module !== module) imports.set(each.name, each);
  }
  const runtimeTypes = new Set(declared.flatMap((declaration) => declaration.runtimeTypes));
  const types = declared.filter(({ isType }) => isType).toSorted(byName);
  return {
    path,
    owner: "hasp",
    code: joinCode(
      [
        header("the specs"),
        joinCode(
          [
            ...(runtimeTypes.size === 0 ? [] : [importStatement(typeNames(runtimeTypes), "@hasp/runtime/codegen/v1")]),
            ...sharedImports([...imports.values()], (other) => importPath(path, layout.definition(other))),
          ],
          "\n",
        ),
        ...[...types, ...inOrderOfUse(declared.filter(({ isType }) => !isType).toSorted(byName))].map(
          ({ text }): Code => printedCode(text),
        ),
      ],
      "\n\n",
    ),
  };
}

/** The constants of one module, each behind those that it holds. */
function inOrderOfUse(constants: readonly Declaration[]): readonly Declaration[] {
  const ordered = new Set<Declaration>();
  const add = (constant: Declaration): void => {
    if (ordered.has(constant)) return;
    for (const { name: held } of constant.imports) {
      const other = constants.find((each) => each.name === held);
      if (other !== undefined && other !== constant) add(other);
    }
    ordered.add(constant);
  };
  for (const constant of constants) add(constant);
  return [...ordered];
}

function typesDraft({ layout }: BuildToEmit, types: readonly Declaration[]): FileDraft {
  const exports = [...groupBy(types, ({ module }) => module)]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([module, declared]) => {
      const names = declared.map((declaration) => name(declaration.name));
      const from = importPath(layout.sharedTypes, layout.definition(module));
      return code`export type { ${joinCode(names, ", ")} } from ${literal(from)};`;
    });
  return {
    path: layout.sharedTypes,
    owner: "hasp",
    code: joinCode([header("the specs"), joinCode(exports, "\n")], "\n\n"),
  };
}

function byName(left: Declaration, right: Declaration): number {
  return left.name < right.name ? -1 : 1;
}
