import type { JsonValue } from "@hasp/schema";
import { code, type Code, joinCode, literal, name, propertyName } from "@hasp/compiler/code";
import { isList, indexBy } from "@hasp/base/json";

export type TypeNode =
  | { readonly kind: "keyword"; readonly name: "string" | "number" | "boolean" | "null" | "unknown" | "never" }
  | { readonly kind: "literal"; readonly value: string | number | boolean }
  | { readonly kind: "reference"; readonly name: string }
  | ObjectType
  | { readonly kind: "array"; readonly item: TypeNode }
  | TupleType
  | { readonly kind: "union"; readonly members: readonly TypeNode[] }
  | { readonly kind: "intersection"; readonly members: readonly TypeNode[] };

export interface ObjectType {
  readonly kind: "object";
  readonly properties: readonly PropertyType[];
  readonly index?: TypeNode;
}

export interface PropertyType {
  readonly name: string;
  readonly isOptional: boolean;
  readonly type: TypeNode;
  readonly comment: Code;
}

export interface TupleType {
  readonly kind: "tuple";
  readonly items: readonly { readonly type: TypeNode; readonly isOptional: boolean }[];
  readonly rest?: TypeNode;
}

export function keyword(name: "string" | "number" | "boolean" | "null" | "unknown" | "never"): TypeNode {
  return { kind: "keyword", name };
}

/** Flattens unions and removes duplicates; `unknown` absorbs the rest. */
export function union(members: readonly TypeNode[]): TypeNode {
  const [sole] = members;
  // Most unions have one type; comparing would walk the whole tree.
  if (sole !== undefined && members.length === 1) return sole;
  const flat = new Map<string, TypeNode>();
  for (const member of members.flatMap((each) => (each.kind === "union" ? each.members : [each]))) {
    if (member.kind === "keyword" && member.name === "unknown") return member;
    if (member.kind === "keyword" && member.name === "never") continue;
    flat.set(typeKey(member), member);
  }
  const distinct = [...flat.values()].filter((member) => !(member.kind === "literal" && flat.has(typeof member.value)));
  const [only] = distinct;
  if (only === undefined) return keyword("never");
  return distinct.length === 1 ? only : { kind: "union", members: nullLast(distinct) };
}

export function intersection(members: readonly TypeNode[]): TypeNode {
  const telling = members.filter((member) => !(member.kind === "keyword" && member.name === "unknown"));
  const [sole] = telling;
  if (sole !== undefined && telling.length === 1) return sole;
  const distinct = indexBy(telling, typeKey);
  const [only] = distinct.values();
  if (only === undefined) return keyword("unknown");
  return distinct.size === 1 ? only : { kind: "intersection", members: [...distinct.values()] };
}

export function typeOfValue(value: JsonValue): TypeNode {
  if (value === null) return keyword("null");
  if (typeof value !== "object") return { kind: "literal", value };
  if (isList(value)) {
    return { kind: "tuple", items: value.map((item) => ({ type: typeOfValue(item), isOptional: false })) };
  }
  return {
    kind: "object",
    properties: Object.entries(value).map(([name, item]) => ({
      name,
      isOptional: false,
      type: typeOfValue(item),
      comment: code``,
    })),
  };
}

/** True if two types are equal, ignoring comments; `renamed` maps names in the first type to names in the second. */
export function isSameType(left: TypeNode, right: TypeNode, renamed: ReadonlyMap<string, string> = new Map()): boolean {
  const areSame = (some: readonly TypeNode[], others: readonly TypeNode[]): boolean =>
    some.length === others.length && some.every((each, index) => isSameIfThere(each, others[index]));
  const isSameIfThere = (one: TypeNode | undefined, other: TypeNode | undefined): boolean =>
    one === undefined || other === undefined ? one === other : isSameType(one, other, renamed);
  switch (left.kind) {
    case "keyword":
      return right.kind === "keyword" && left.name === right.name;
    case "literal":
      return right.kind === "literal" && left.value === right.value;
    case "reference":
      return right.kind === "reference" && (renamed.get(left.name) ?? left.name) === right.name;
    case "array":
      return right.kind === "array" && isSameType(left.item, right.item, renamed);
    case "union":
    case "intersection":
      return right.kind === left.kind && areSame(left.members, right.members);
    case "tuple":
      return (
        right.kind === "tuple" &&
        areSame(
          left.items.map(({ type }) => type),
          right.items.map(({ type }) => type),
        ) &&
        left.items.every(({ isOptional }, index) => isOptional === right.items[index]?.isOptional) &&
        isSameIfThere(left.rest, right.rest)
      );
    case "object":
      return (
        right.kind === "object" &&
        left.properties.length === right.properties.length &&
        left.properties.every((property, index) => {
          const other = right.properties[index];
          return (
            other !== undefined &&
            property.name === other.name &&
            property.isOptional === other.isOptional &&
            isSameType(property.type, other.type, renamed)
          );
        }) &&
        isSameIfThere(left.index, right.index)
      );
  }
}

export function typeKey(type: TypeNode): string {
  switch (type.kind) {
    case "keyword":
    case "reference":
      return type.name;
    case "literal":
      return JSON.stringify(type.value);
    case "array":
      return `[${typeKey(type.item)}*]`;
    case "union":
    case "intersection":
      return `(${type.members.map(typeKey).join(type.kind === "union" ? "|" : "&")})`;
    case "tuple": {
      const items = type.items.map((item) => `${typeKey(item.type)}${item.isOptional ? "?" : ""}`);
      return `[${items.join(",")};${type.rest === undefined ? "" : typeKey(type.rest)}]`;
    }
    case "object": {
      const properties = type.properties.map(
        ({ name, isOptional, type: inner }) => `${JSON.stringify(name)}${isOptional ? "?" : ""}:${typeKey(inner)}`,
      );
      return `{${properties.join(";")};;${type.index === undefined ? "" : typeKey(type.index)}}`;
    }
  }
}

function nullLast(members: readonly TypeNode[]): readonly TypeNode[] {
  const isNull = (type: TypeNode): boolean => type.kind === "keyword" && type.name === "null";
  return [...members.filter((member) => !isNull(member)), ...members.filter(isNull)];
}

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
