import type { JsonSchema } from "@hasp/schema";
import type { FlatTool } from "../model/tool.js";
import type { GeneratedNames } from "../typescript/names.js";
import { typeName } from "../typescript/names.js";
import { docComment, schemaParagraphs } from "../typescript/doc-comment.js";
import { keyword, type TypeNode, typeKey } from "../typescript/type-node.js";
import { typeOfBody } from "../typescript/type-of-schema.js";
import type { SharedTypes } from "./shared-types.js";

/** A type to be declared in a tool's module. */
export interface DeclaredType {
  readonly name: string;
  readonly type: TypeNode;
  readonly comment: readonly string[];
  /** The interface that this one adds to or sharpens. */
  readonly extends?: string;
}

/** The types of one tool's module, in the order in which they stand there. */
export interface ToolTypeDeclarations {
  readonly declared: readonly DeclaredType[];
  /** Names to import from the file of shared types. */
  readonly shared: readonly string[];
}

/** The types that callers, handlers and readers of results see. */
export function toolTypes(tool: FlatTool, names: GeneratedNames, sharedTypes: SharedTypes): ToolTypeDeclarations {
  const taken = new Set(sharedTypes.names);
  const shared = new Set<string>();
  const argumentTypes = declaredTypes(tool.input.schema, {
    rootName: `${names.pascal}Arguments`,
    suffix: "Arguments",
    isFilled: false,
    isOutput: false,
    taken,
    prefix: names.pascal,
    shared: (node) => note(shared, sharedTypes.nameOf(tool.input, node, false)),
    comment: [`What a caller may send to \`${tool.name}\`.`],
  });
  const inputTypes = declaredTypes(tool.input.schema, {
    rootName: `${names.pascal}Input`,
    suffix: "",
    isFilled: true,
    isOutput: false,
    taken,
    prefix: names.pascal,
    shared: (node) => note(shared, sharedTypes.nameOf(tool.input, node, true)),
    comment: [`What the handler of \`${tool.name}\` receives: valid, with defaults filled in.`],
  });
  const { output } = tool;
  const outputTypes =
    output === undefined
      ? [{ name: `${names.pascal}Output`, type: { kind: "keyword", name: "unknown" } as const, comment: docComment([`What \`${tool.name}\` answers: any JSON value.`]) }]
      : declaredTypes(output.schema, {
          rootName: `${names.pascal}Output`,
          suffix: "Output",
          isFilled: false,
          isOutput: true,
          taken,
          prefix: names.pascal,
          shared: (node) => note(shared, sharedTypes.nameOf(output, node, false)),
          comment: [`What \`${tool.name}\` answers.`],
        });
  return { declared: [...argumentTypes, ...withoutRepetition(inputTypes, argumentTypes), ...outputTypes], shared: [...shared] };
}

function note(names: Set<string>, name: string | undefined): string | undefined {
  if (name !== undefined) names.add(name);
  return name;
}

interface RootPlan {
  readonly rootName: string;
  /** What sets the name of a local definition apart, where its plain name is taken. */
  readonly suffix: string;
  readonly isFilled: boolean;
  readonly isOutput: boolean;
  readonly taken: Set<string>;
  readonly prefix: string;
  readonly shared: (node: JsonSchema) => string | undefined;
  readonly comment: readonly string[];
}

/** The type of a root schema and those of its named, recursive definitions. */
function declaredTypes(root: JsonSchema, plan: RootPlan): readonly DeclaredType[] {
  const definitions = Object.entries((typeof root === "object" ? root.$defs : undefined) ?? {});
  const nameByReference = new Map<string, string>([["#", plan.rootName]]);
  plan.taken.add(plan.rootName);
  for (const [definition] of definitions) {
    const name = freeName(typeName(definition), plan);
    plan.taken.add(name);
    nameByReference.set(`#/$defs/${definition}`, name);
  }
  const nameOf = (node: JsonSchema): string | undefined => {
    if (typeof node === "boolean") return undefined;
    return node.$ref === undefined ? plan.shared(node) : nameByReference.get(plainReference(node.$ref));
  };
  const context = { isFilled: plan.isFilled, isOpenByNature: plan.isOutput, nameOf };
  return [
    // A name for the root itself would be the name of this very type.
    { name: plan.rootName, type: typeOfBody(root, context), comment: docComment(plan.comment) },
    ...definitions.map(([definition, schema]) => ({
      name: nameByReference.get(`#/$defs/${definition}`) ?? typeName(definition),
      type: typeOfBody(schema, context),
      comment: docComment(schemaParagraphs(schema)),
    })),
  ];
}

/** Names that a tool's module uses for other things, or that would hide what its types are made of. */
const reservedNames: ReadonlySet<string> = new Set([
  "CustomCheck", "CustomPredicate", "Execute", "JsonSchema", "OptionalExports", "OptionalLazyExports", "ToolDialects", "ToolMetadata", "ToolSpec",
]);

function freeName(name: string, plan: RootPlan): string {
  const candidates = [name, `${plan.prefix}${name}`, `${plan.prefix}${name}${plan.suffix}`];
  const free = candidates.find((candidate) => !plan.taken.has(candidate) && !reservedNames.has(candidate));
  if (free !== undefined) return free;
  let counter = 2;
  while (plan.taken.has(`${plan.prefix}${name}${plan.suffix}${counter}`)) counter += 1;
  return `${plan.prefix}${name}${plan.suffix}${counter}`;
}

/** `#/$defs/a~1b` and `#/$defs/a%2Fb` name the definition `a/b`. */
function plainReference(reference: string): string {
  try {
    return decodeURIComponent(reference).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return reference;
  }
}

/** The handler's types say only what filling in defaults changes; the rest they take from the caller's. */
function withoutRepetition(inputTypes: readonly DeclaredType[], argumentTypes: readonly DeclaredType[]): readonly DeclaredType[] {
  const [root, ...definitions] = inputTypes;
  const [argumentRoot] = argumentTypes;
  if (root === undefined || argumentRoot === undefined) return inputTypes;
  const renamed = new Map(inputTypes.map(({ name }, index) => [name, argumentTypes[index]?.name ?? name]));
  const isSame = (type: TypeNode, other: TypeNode): boolean => typeKey(renameReferences(type, renamed)) === typeKey(other);
  const areSame = inputTypes.every(({ type }, index) => isSame(type, argumentTypes[index]?.type ?? keyword("never")));
  if (areSame) return [{ ...root, type: { kind: "reference", name: argumentRoot.name } }];
  if (root.type.kind !== "object" || argumentRoot.type.kind !== "object") return inputTypes;

  const before = new Map(argumentRoot.type.properties.map((property) => [property.name, property]));
  const changed = root.type.properties.filter((property) => {
    const counterpart = before.get(property.name);
    return counterpart?.isOptional !== property.isOptional || !isSame(property.type, counterpart.type);
  });
  return [{ ...root, type: { kind: "object", properties: changed }, extends: argumentRoot.name }, ...definitions];
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
      return type.rest === undefined ? { kind: "tuple", items } : { kind: "tuple", items, rest: renameReferences(type.rest, names) };
    }
    case "object": {
      const properties = type.properties.map((property) => ({ ...property, type: renameReferences(property.type, names) }));
      return type.index === undefined ? { kind: "object", properties } : { kind: "object", properties, index: renameReferences(type.index, names) };
    }
    default:
      return type;
  }
}
