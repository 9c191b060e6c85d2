import type { JsonObject } from "@hasp/schema";
import type { HandlerKindName } from "../../../model/handlers/declaration.js";
import { own } from "../../../model/own.js";
import { generatedNames } from "../../../typescript/names.js";
import type { EmitPlan } from "./emitter.js";
import type { Layout } from "../../../typescript/layout.js";

interface ConnectionFile {
  readonly path: string;
  /** `ordersApiConnection` */
  readonly constant: string;
}

/** Finds the module of a connection. Throws if the configuration has no such connection: `check` reports that first. */
export function findConnectionFile(
  connection: string,
  { connections = {} }: Pick<EmitPlan, "connections">,
  layout: Pick<Layout, "connection">,
): ConnectionFile {
  const names = generatedNames(Object.keys(connections)).get(connection);
  if (names === undefined) throw new Error(`There is no connection ${connection}.`);
  return { path: layout.connection(names), constant: `${names.camel}Connection` };
}

/** Returns a connection's kind and settings; `undefined` if the configuration lacks it. */
export function findConnection(
  connection: string,
  { connections }: Pick<EmitPlan, "connections">,
): { readonly kind: HandlerKindName; readonly settings: JsonObject } | undefined {
  const [entry] = Object.entries(own(connections, connection) ?? {});
  // The configuration's format allows exactly one key here.
  return entry === undefined ? undefined : { kind: entry[0] as HandlerKindName, settings: entry[1] };
}
