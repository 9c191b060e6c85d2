import { code, type Code, joinCode, literal, name, propertyName } from "./code.js";
import type { ObjectType, PropertyType, TupleType, TypeNode } from "./type-node.js";

/** Declares an interface for an object type and an alias otherwise. */
export function typeDeclaration(declared: string, type: TypeNode, comment: Code, base?: string): Code {
  if (type.kind !== "object") return code`${comment}export type ${name(declared)} = ${typeCode(type)};`;
  const heritage = base === undefined ? code`` : code` extends ${name(base)}`;
  return code`${comment}export interface ${name(declared)}${heritage} {\n${joinCode(membersOf(type), "\n")}\n}`;
}

export function typeCode(type: TypeNode): Code {
  switch (type.kind) {
    case "keyword":
    case "reference":
      return name(type.name);
    case "literal":
      return literal(type.value);
    case "object":
      return code`{${hasComment(type) ? code`\n` : code` `}${joinCode(membersOf(type), "\n")} }`;
    case "array":
      return code`readonly ${operand(type.item)}[]`;
    case "tuple":
      return code`readonly [${joinCode(tupleItems(type), ", ")}]`;
    case "union":
      return joinCode(type.members.map(typeCode), " | ");
    case "intersection":
      return joinCode(type.members.map(operand), " & ");
  }
}

function hasComment({ properties }: ObjectType): boolean {
  return properties.some(({ comment }) => comment.text !== "");
}

function membersOf(type: ObjectType): readonly Code[] {
  const index =
    type.index ?? (type.properties.length === 0 ? ({ kind: "keyword", name: "never" } as const) : undefined);
  return [
    ...type.properties.map(propertyCode),
    ...(index === undefined ? [] : [code`readonly [key: string]: ${typeCode(index)};`]),
  ];
}

function propertyCode({ name: property, isOptional, type, comment }: PropertyType): Code {
  return code`${comment}readonly ${propertyName(property)}${isOptional ? code`?` : code``}: ${typeCode(type)};`;
}

function tupleItems({ items, rest }: TupleType): readonly Code[] {
  return [
    ...items.map(({ type, isOptional }) => (isOptional ? code`${operand(type)}?` : typeCode(type))),
    ...(rest === undefined ? [] : [code`...${operand(rest)}[]`]),
  ];
}

/** Adds parentheses to a compound type beside an operator. */
function operand(type: TypeNode): Code {
  const isCompound =
    type.kind === "union" || type.kind === "intersection" || type.kind === "array" || type.kind === "tuple";
  return isCompound ? code`(${typeCode(type)})` : typeCode(type);
}
