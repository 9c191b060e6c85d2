import { resolveDialect, nameDialect } from "@hasp/compiler/model";
import type { DialectPlan } from "@hasp/compiler";
import { type Dialect, type JsonObject, dialects } from "@hasp/schema";
import { pickMembers, own } from "@hasp/base/json";
import { chooseGeneratedNames, type GeneratedNames, type Layout } from "@hasp/compiler/layout";
import type { EmitPlan } from "./emitter.js";
import { code, type Code, name } from "@hasp/compiler/code";
import { typeCode, typeOfValue } from "../../typescript/type-node.js";

interface ConnectionFile {
  readonly path: string;
  readonly constant: string;
}

/** Finds the module of a connection. Throws if the configuration has no such connection: `check` reports that first. */
export function findConnectionFile(
  connection: string,
  { connections = {} }: Pick<EmitPlan, "connections">,
  layout: Pick<Layout, "connection">,
): ConnectionFile {
  const names = chooseGeneratedNames(Object.keys(connections)).get(connection);
  if (names === undefined) throw new Error(`There is no connection ${connection}.`);
  return { path: layout.connection(names), constant: `${names.camel}Connection` };
}

export function findConnection(
  connection: string,
  { connections }: Pick<EmitPlan, "connections">,
): { readonly kind: string; readonly settings: JsonObject } | undefined {
  const [entry] = Object.entries(own(connections, connection) ?? {});
  // The format allows exactly one key here.
  return entry && { kind: entry[0], settings: entry[1] };
}

/** Prints the type of a dialect's entries, with the fields that the configuration adds to it. */
export function printEntryType(
  plan: Pick<DialectPlan, "id" | "foreign"> & { readonly extra?: JsonObject | undefined },
  isText: boolean,
): Code {
  const { extraFields = [], ...entry } = resolveDialect(plan).entry;
  const type = nameEntryType(entry, isText);
  const { extra } = plan;
  const unknown: JsonObject = pickMembers(extra ?? {}, (field) => !extraFields.includes(field));
  return Object.keys(unknown).length === 0 ? name(type) : code`${name(type)} & ${typeCode(typeOfValue(unknown))}`;
}

/** Names the type of an entry. A free-text tool has another where the API takes bare text. */
export function nameEntryType({ type, text }: Dialect["entry"], isText: boolean): string {
  return isText && text !== undefined ? text.type : type;
}

const ownSuffixes: readonly string[] = ["Arguments", "Input", "Output", "Handler", "Types"];

export function listOwnTypeNames({ pascal }: GeneratedNames): readonly string[] {
  return ownSuffixes.map((suffix) => `${pascal}${suffix}`);
}

export function isTypeOfATool(tools: readonly GeneratedNames[]): (name: string) => boolean {
  const names = new Set(tools.flatMap(listOwnTypeNames));
  return (name) => names.has(name);
}

/** Names that a tool's module already uses, or that would shadow built-in types. */
export const reservedNames: ReadonlySet<string> = new Set([
  "Context",
  "CustomCheck",
  "CustomDescription",
  "CustomPredicate",
  "Execute",
  "HandlerModule",
  "JsonSchema",
  "LazyHandlerModule",
  "Listing",
  "ObjectSchema",
  "ToolMetadata",
  "ToolSpec",
  "description",
  "input",
  "lazySchema",
  "output",
  ...Object.values(dialects).flatMap(({ id, entry }) => [nameDialect(id), entry.type, nameEntryType(entry, true)]),
]);
