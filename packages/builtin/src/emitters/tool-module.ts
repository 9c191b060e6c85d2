import {
  code,
  type Code,
  printDocComment,
  importStatement,
  literal,
  name,
  typeNames,
  formatModule,
} from "@hasp/compiler/code";
import { isSameType, keyword, typeDeclaration, type TypeNode } from "../typescript/type-node.js";
import type { Emitter, ToolToEmit } from "./base/emitter.js";
import { printModule } from "./base/module-text.js";
import {
  chooseHandlerBase,
  importContextType,
  listCustomTypes,
  printHandlerType,
  isMetadataExported,
  printTypesBundle,
} from "./module-parts/handler-type.js";
import { nameMetadata } from "./module-parts/stated-data.js";
import type { FlatSchema } from "@hasp/compiler/plugin";
import type { FlatTool } from "@hasp/compiler";
import { type GeneratedNames, takeName, typeName, CODEGEN_ENTRIES } from "@hasp/compiler/layout";
import { printSchemaComment } from "../typescript/schema-comment.js";
import { type TypeContext, typeOfBody, typeOfSchema } from "../typescript/type-of-schema.js";
import type { ToolShared } from "./base/shared-names.js";
import { listOwnTypeNames, reservedNames } from "./base/names.js";
import { escapeToken, readReference, indexBy } from "@hasp/base/json";

/** One module per tool: its types, and the interface of its handler. */
export const toolModule: Emitter<string> = {
  name: "tool-module",
  part: (emitted) => formatModule(moduleCode(emitted)),
  files: ({ tools, layout }, partOf) =>
    tools.map(({ name: tool, names }) => ({
      path: layout.toolModule(names),
      owner: "hasp",
      madeFrom: { tool },
      text: partOf(tool),
    })),
};

function moduleCode(emitted: ToolToEmit): Code {
  const { tool, names, layout, plan } = emitted;
  const { declared, shared } = declareToolTypes(emitted);
  const path = layout.toolModule(names);
  const { context } = plan;
  const runtime = [chooseHandlerBase(tool), ...listCustomTypes(tool)];
  const imports = [
    importStatement(typeNames(runtime), CODEGEN_ENTRIES.runtime),
    ...(context === undefined ? [] : [importContextType(context, layout.importPath(path, context.file))]),
    ...(shared.size === 0 ? [] : [importStatement(typeNames(shared), layout.importPath(path, layout.sharedTypes))]),
  ];
  return printModule(tool.document.uri, imports, [
    ...declared.map((each) => typeDeclaration(each.name, each.type, each.comment, each.extends)),
    printHandlerType(emitted),
    printTypesBundle(emitted),
    ...(isMetadataExported(tool)
      ? [
          code`${printDocComment(["Its facts; what varies has its strict value."])}export { ${name(nameMetadata(names))} } from ${literal(layout.importPath(path, layout.specs))};`,
        ]
      : []),
  ]);
}

interface DeclaredType {
  readonly name: string;
  readonly type: TypeNode;
  readonly comment: Code;
  readonly extends?: string;
}

interface ToolTypeDeclarations {
  readonly declared: readonly DeclaredType[];
  readonly shared: ReadonlySet<string>;
}

function declareToolTypes({ tool, names, shared }: ToolToEmit): ToolTypeDeclarations {
  const sharedNames = [...shared.types.values()].flatMap(({ filled, plain }) => [filled, plain]);
  const taken = new Set([...sharedNames, ...reservedNames, ...listOwnTypeNames(names)]);
  const used = new Set<string>();
  const base = { taken, prefix: names.pascal, shared, noteShared: (name: string) => used.add(name) };
  const callers = declaredTypes(tool.input, {
    ...base,
    rootName: `${names.pascal}Arguments`,
    suffix: "Arguments",
    isFilled: false,
    isOutput: false,
    comment: ["The arguments that a caller sends."],
  });
  const handlers = handlerTypes(tool, names, base, callers);
  const results = resultTypes(tool, base, names);
  return { declared: [...callers.declared, ...handlers, ...results], shared: used };
}

type CommonPlan = Pick<RootPlan, "taken" | "prefix" | "shared" | "noteShared">;

function handlerTypes(
  tool: FlatTool,
  names: GeneratedNames,
  base: CommonPlan,
  callers: DeclaredTypes,
): readonly DeclaredType[] {
  const comment = ["The handler's input: valid, with defaults."];
  const rootName = `${names.pascal}Input`;
  if (!JSON.stringify(tool.input.schema).includes('"default"')) {
    return [
      {
        name: rootName,
        type: { kind: "reference", name: `${names.pascal}Arguments` },
        comment: printDocComment(comment),
      },
    ];
  }
  const handlers = declaredTypes(tool.input, {
    ...base,
    rootName,
    suffix: "Input",
    isFilled: true,
    isOutput: false,
    unfilled: callers.nameByPointer,
    comment,
  });
  return removeRepetition(handlers.declared, callers.declared);
}

function resultTypes({ output }: FlatTool, base: CommonPlan, names: GeneratedNames): readonly DeclaredType[] {
  const rootName = `${names.pascal}Output`;
  if (output === undefined) {
    return [{ name: rootName, type: keyword("unknown"), comment: printDocComment(["The result: any JSON value."]) }];
  }
  const plan = {
    ...base,
    rootName,
    suffix: "Output",
    isFilled: false,
    isOutput: true,
    comment: ["The result."],
  };
  return declaredTypes(output, plan).declared;
}

interface RootPlan {
  readonly rootName: string;
  /** Appended to a local definition's name if that name is taken. */
  readonly suffix: string;
  readonly prefix: string;
  readonly isFilled: boolean;
  readonly isOutput: boolean;
  readonly unfilled?: ReadonlyMap<string, string>;
  readonly taken: Set<string>;
  readonly shared: ToolShared;
  readonly noteShared: (name: string) => void;
  readonly comment: readonly string[];
}

interface DeclaredTypes {
  readonly declared: readonly DeclaredType[];
  /** By JSON Pointer: of the root, and of each definition. */
  readonly nameByPointer: ReadonlyMap<string, string>;
}

function declaredTypes(flat: FlatSchema, plan: RootPlan): DeclaredTypes {
  const root = flat.schema;
  const definitions = Object.entries((typeof root === "object" ? root.$defs : undefined) ?? {});
  const nameByPointer = new Map<string, string>([["", plan.rootName]]);
  for (const [definition] of definitions) {
    const plain = typeName(definition);
    const { prefix, suffix } = plan;
    const name = takeName(plan.taken, [plain, `${plain}${suffix}`, `${prefix}${plain}`, `${prefix}${plain}${suffix}`]);
    nameByPointer.set(pointerToDefinition(definition), name);
  }
  const context: TypeContext = {
    isFilled: plan.isFilled,
    isOpenByNature: plan.isOutput,
    nameOf: (node, { isFilled, isClosedAround }) => {
      if (typeof node === "boolean") return undefined;
      if (node.$ref !== undefined) {
        const pointer = readReference(node.$ref);
        return (isFilled ? nameByPointer : (plan.unfilled ?? nameByPointer)).get(pointer ?? node.$ref);
      }
      const name = isClosedAround === true ? undefined : plan.shared.typeOf(node, isFilled);
      if (name !== undefined) plan.noteShared(name);
      return name;
    },
  };
  const declared = [
    { name: plan.rootName, type: typeOfSchema(root, context), comment: printDocComment(plan.comment) },
    ...definitions.map(([definition, schema]) => ({
      name: nameByPointer.get(pointerToDefinition(definition)) ?? typeName(definition),
      type: typeOfBody(schema, context),
      comment: printSchemaComment(schema),
    })),
  ];
  return { declared, nameByPointer };
}

function pointerToDefinition(name: string): string {
  return `/$defs/${escapeToken(name)}`;
}

/** Reduces the handler's types to the properties that defaults change; they extend the caller's types. */
function removeRepetition(
  handlers: readonly DeclaredType[],
  callers: readonly DeclaredType[],
): readonly DeclaredType[] {
  const [root, ...definitions] = handlers;
  const [callerRoot] = callers;
  if (root === undefined || callerRoot === undefined) return handlers;
  const renamed = new Map(handlers.map(({ name }, index) => [name, callers[index]?.name ?? name]));
  const isSame = (type: TypeNode, index: number): boolean =>
    isSameType(type, callers[index]?.type ?? keyword("never"), renamed);
  const areSame = handlers.every(({ type }, index) => isSame(type, index));
  if (areSame) return [{ ...root, type: { kind: "reference", name: callerRoot.name } }];
  if (root.type.kind !== "object" || callerRoot.type.kind !== "object") return handlers;

  const sameDefinitions = definitions.every(({ type }, index) => isSame(type, index + 1));
  const sameNames = sameDefinitions ? renamed : new Map<string, string>();
  const before = indexBy(callerRoot.type.properties, ({ name }) => name);
  const changed = root.type.properties.filter((property) => {
    const counterpart = before.get(property.name);
    if (counterpart === undefined || counterpart.isOptional !== property.isOptional) return true;
    return !isSameType(property.type, counterpart.type, sameNames);
  });
  const { index } = root.type;
  const isIndexSame = index === undefined || isSameType(index, callerRoot.type.index ?? keyword("never"), sameNames);
  // Defaults may change definitions alone that the root's type does not name, as behind `unknown`.
  if (changed.length === 0 && isIndexSame) return [{ ...root, type: { kind: "reference", name: callerRoot.name } }];
  const kept = sameDefinitions ? [] : definitions;
  const properties = changed.map((property) => ({
    ...property,
    type: renameReferences(property.type, sameNames),
    // Editors show the comment of the caller's property.
    comment: before.has(property.name) ? code`` : property.comment,
  }));
  const type = {
    kind: "object",
    properties,
    ...(isIndexSame ? {} : { index: renameReferences(index, sameNames) }),
  } as const;
  return [{ ...root, type, extends: callerRoot.name }, ...kept];
}

function renameReferences(type: TypeNode, names: ReadonlyMap<string, string>): TypeNode {
  switch (type.kind) {
    case "reference":
      return { kind: "reference", name: names.get(type.name) ?? type.name };
    case "array":
      return { kind: "array", item: renameReferences(type.item, names) };
    case "union":
    case "intersection":
      return { kind: type.kind, members: type.members.map((member) => renameReferences(member, names)) };
    case "tuple": {
      const items = type.items.map((item) => ({ ...item, type: renameReferences(item.type, names) }));
      return type.rest === undefined
        ? { kind: "tuple", items }
        : { kind: "tuple", items, rest: renameReferences(type.rest, names) };
    }
    case "object": {
      const properties = type.properties.map((property) => ({
        ...property,
        type: renameReferences(property.type, names),
      }));
      return type.index === undefined
        ? { kind: "object", properties }
        : { kind: "object", properties, index: renameReferences(type.index, names) };
    }
    default:
      return type;
  }
}
