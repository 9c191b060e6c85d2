import {
  type Document,
  group,
  hardLine,
  ifBroken,
  indent,
  join,
  leadingText,
  line,
  pageWidth,
  softLine,
} from "./document.js";
import { numberLiteral } from "./notation.js";
import { propertyKey, stringLiteral } from "./string-literal.js";
import type { ObjectType, PropertyType, TypeNode } from "./type-node.js";

/** An exported type under a name: an interface (which may extend a base) where it is an object, else an alias. */
export function typeDeclaration(name: string, type: TypeNode, comment: readonly string[], base?: string): Document {
  return [comment.map((text) => [text, hardLine]), declaration(name, type, base), hardLine];
}

function declaration(name: string, type: TypeNode, base: string | undefined): Document {
  if (type.kind === "object") {
    return [
      `export interface ${name}${base === undefined ? "" : ` extends ${base}`} {`,
      indent(membersOf(type).map((member) => [hardLine, member, ";"])),
      hardLine,
      "}",
    ];
  }
  const left = `export type ${name} =`;
  if (type.kind === "union" && !isHugged(type.members)) {
    return group([left, group(indent([line, unionMembers(type.members)])), ";"]);
  }
  const isWord = type.kind === "keyword" || type.kind === "reference" || type.kind === "literal";
  const isList = type.kind === "array" || type.kind === "tuple";
  // Where not even its opening fits beside the name, a list goes below it.
  if (isList && left.length + 1 + leadingText(typeDocument(type)).length > pageWidth) {
    return group([left, indent([hardLine, typeDocument(type)]), ";"]);
  }
  return isWord ? group([left, indent([line, typeDocument(type)]), ";"]) : group([left, " ", typeDocument(type), ";"]);
}

/** A type as it stands behind a colon. */
export function typeDocument(type: TypeNode): Document {
  switch (type.kind) {
    case "keyword":
    case "reference":
      return type.name;
    case "literal":
      return literal(type.value);
    case "object":
      return objectDocument(type);
    case "array":
      return ["readonly ", listItem(type.item), "[]"];
    case "tuple":
      return ["readonly ", tupleDocument(type.items, type.rest)];
    case "union":
      return isHugged(type.members) ? huggedUnion(type.members) : group(indent([softLine, unionMembers(type.members)]));
    case "intersection":
      return intersectionDocument(type.members);
  }
}

function literal(value: string | number | boolean): string {
  if (typeof value === "string") return stringLiteral(value);
  return typeof value === "number" ? numberLiteral(value) : String(value);
}

function objectDocument(type: ObjectType): Document {
  const members = membersOf(type);
  return group(["{", indent([line, join([";", line], members)]), ifBroken(";"), line, "}"]);
}

function membersOf(type: ObjectType): readonly Document[] {
  const index =
    type.index ?? (type.properties.length === 0 ? ({ kind: "keyword", name: "never" } as const) : undefined);
  return [
    ...type.properties.map(propertyDocument),
    ...(index === undefined
      ? []
      : [
          group([
            "readonly ",
            group(["[", indent([softLine, "key: string"]), softLine, "]"]),
            ": ",
            typeDocument(index),
          ]),
        ]),
  ];
}

function propertyDocument({ name, isOptional, type, comment }: PropertyType): Document {
  return [
    comment.map((text) => [text, hardLine]),
    group(["readonly ", propertyKey(name), isOptional ? "?: " : ": ", typeDocument(type)]),
  ];
}

/** The item type of a list, in parentheses where it is made of several words. */
function listItem(item: TypeNode): Document {
  switch (item.kind) {
    case "union":
      return isHugged(item.members)
        ? ["(", huggedUnion(item.members), ")"]
        : ["(", group([indent([softLine, unionMembers(item.members)]), softLine]), ")"];
    case "array":
    case "tuple":
    case "intersection":
      return ["(", typeDocument(item), ")"];
    default:
      return typeDocument(item);
  }
}

function tupleDocument(
  items: readonly { readonly type: TypeNode; readonly isOptional: boolean }[],
  rest: TypeNode | undefined,
): Document {
  const count = items.length + (rest === undefined ? 0 : 1);
  if (count === 0) return "[]";
  const parts: Document[] = items.map(({ type, isOptional }) =>
    isOptional ? [listItem(type), "?"] : tupleItem(type, count),
  );
  if (rest !== undefined) parts.push(["...", listItem(rest), "[]"]);
  return group(["[", indent([softLine, join([",", line], parts)]), ifBroken(","), softLine, "]"]);
}

function tupleItem(type: TypeNode, count: number): Document {
  if (type.kind !== "union" || isHugged(type.members)) return typeDocument(type);
  const members = unionMembers(type.members);
  return count === 1 ? members : group([indent([ifBroken(["(", softLine]), members]), softLine, ifBroken(")")]);
}

function unionMembers(members: readonly TypeNode[]): Document {
  return group(
    members.map((member, index) => [index === 0 ? ifBroken("| ") : [line, "| "], indent(unionMember(member))]),
  );
}

/** An object that may also be null stays in one piece: `{ … } | null`. */
function isHugged(members: readonly TypeNode[]): boolean {
  const object = members.find((member) => member.kind === "object" || member.kind === "reference");
  return (
    object !== undefined &&
    members.every((member) => member === object || (member.kind === "keyword" && member.name === "null"))
  );
}

function huggedUnion(members: readonly TypeNode[]): Document {
  return join(" | ", members.map(unionMember));
}

function unionMember(member: TypeNode): Document {
  return member.kind === "intersection" ? ["(", typeDocument(member), ")"] : typeDocument(member);
}

function intersectionDocument(members: readonly TypeNode[]): Document {
  let wasIndented = false;
  return group(
    members.map((member, index) => {
      const previous = members[index - 1];
      const text = intersectionMember(member);
      if (previous === undefined) return text;
      if (member.kind === "object" && previous.kind === "object") return [" & ", wasIndented ? indent(text) : text];
      if (member.kind !== "object" && previous.kind !== "object") return indent([" &", line, text]);
      wasIndented ||= index > 1;
      return [" & ", index > 1 ? indent(text) : text];
    }),
  );
}

function intersectionMember(member: TypeNode): Document {
  if (member.kind !== "union") return typeDocument(member);
  return isHugged(member.members)
    ? ["(", huggedUnion(member.members), ")"]
    : ["(", group([indent([softLine, unionMembers(member.members)]), softLine]), ")"];
}
