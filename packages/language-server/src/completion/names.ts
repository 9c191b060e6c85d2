import { namesTool, findSchemaRoot, listToolNames } from "../symbols.js";
import { type Complete, type Completion, quoteValue } from "./completion.js";
import { posix } from "node:path";
import { isObject, escapeToken, readOwnMember, writeReference, own } from "@hasp/base/json";
import { loadSource } from "@hasp/compiler";
import { findNode, type SyntaxNode } from "../syntax.js";
import { ALLOWED } from "@hasp/compiler/conditions";

export const completeToolNames: Complete = (place) =>
  place.role === "spec" || !namesTool(place.role, place.path)
    ? []
    : listToolNames(place.project).map((label) => ({ label, kind: "tool", insert: quoteValue(label, place) }));

export const completeReferences: Complete = ({ path, part, root, project, document, isQuoted }) => {
  if (part !== "value" || path.at(-1) !== "$ref") return [];
  const schema = findNode(root, findSchemaRoot(path).split("/").slice(1));
  const local = schema?.kind === "map" ? schema.entries.find(({ key }) => key.name === "$defs")?.value : undefined;
  const own = local?.kind === "map" ? local.entries.map(({ key }) => referTo(key.name)) : [];
  const shared = project.sources.flatMap((source) => {
    if (source.role !== "shared" || source.uri === document.uri) return [];
    const definitions = readOwnMember(loadSource(source, project.cache).value?.value ?? null, "$defs");
    const way = posix.relative(posix.dirname(document.uri), source.uri);
    const file = way.startsWith(".") ? way : `./${way}`;
    return isObject(definitions) ? Object.keys(definitions).map((key) => file + referTo(key)) : [];
  });
  return [...own, ...shared].map((label) => ({
    label,
    kind: "reference",
    insert: isQuoted ? label : JSON.stringify(label),
  }));
};

function referTo(definition: string): string {
  return writeReference(`/$defs/${escapeToken(definition)}`);
}

export const completeConnections: Complete = (place) => {
  const { path, part, project, role } = place;
  const kind = path.at(-2) ?? "";
  const isConnection = path.at(-1) === "connection" && path.at(-3) === "handler";
  if (role !== "spec" || part !== "value" || !isConnection) return [];
  return Object.entries(project.compiled?.plan.connections ?? {}).flatMap(([label, connection]) =>
    Object.hasOwn(connection, kind) ? [{ label, kind: "value", insert: quoteValue(label, place) }] : [],
  );
};

/** Offers members of the context's type where a spec needs or binds one. */
export const completeContextFields: Complete = (place) => {
  const { path, part, project, role } = place;
  if (role !== "spec" || part !== "value") return [];
  const members = project.compiled?.plan.contextMembers ?? [];
  const isNeed = path.at(-2) === "context" && path.at(-3) === "needs";
  const isBind = path.at(-2) === "bind";
  if (!isNeed && !isBind) return [];
  return members.map((member) => {
    const label = isNeed ? member : `context.${member}`;
    return { label, kind: "variable", insert: quoteValue(label, place) };
  });
};

const FUNCTIONS: readonly string[] = ALLOWED.split(" ").filter((word) => /^\w{3,}$/u.test(word));

export const completeConditionNames: Complete = ({ role, part, path, root, document, token, offset }) => {
  const isCondition = ["when", "unless", "that", "destination"].includes(path.at(-1) ?? "");
  if (part !== "value" || !isCondition || (role !== "spec" && role !== "policy")) return [];
  const typed = document.text.slice(token.start, offset);
  const holder = path[0] === "tools" ? path.slice(0, 2) : [];
  const variables: Readonly<Record<string, SyntaxNode | undefined>> =
    role === "spec"
      ? { input: findNode(root, [...holder, "input", "properties"]) }
      : { context: findNode(root, ["context"]) };
  const steps = typed.split(".");
  const [variable = "", ...fields] = steps.slice(0, -1);
  if (steps.length === 1) {
    return [
      ...Object.keys(variables).map((label): Completion => ({ label, kind: "variable" })),
      ...FUNCTIONS.map((label): Completion => ({ label, kind: "value", insert: `${label}(` })),
    ];
  }
  const properties = fields.reduce(
    (node: SyntaxNode | undefined, field) => node && findNode(node, [field, "properties"]),
    own(variables, variable),
  );
  const prefix = steps.slice(0, -1).join(".");
  return namesIn(properties).map((name) => ({ label: `${prefix}.${name}`, kind: "variable" }));
};

/** Lists names that can follow a dot. */
function namesIn(node: SyntaxNode | undefined): readonly string[] {
  const names = node?.kind === "map" ? node.entries.map(({ key }) => key.name) : [];
  return names.filter((name) => /^[A-Za-z_]\w*$/u.test(name));
}
