import type { JsonObject } from "@hasp/schema";
import type { HandlerKindName } from "../../../model/handlers/declaration.js";
import { own } from "../../../model/own.js";
import { generatedNames } from "../../../typescript/names.js";
import type { EmitPlan } from "./emitter.js";
import type { Layout } from "./layout.js";

/** The location of a connection in generated code. */
interface ConnectionFile {
  readonly path: string;
  /** `ordersApiConnection` */
  readonly constant: string;
}

/** The module of a connection of the configuration. Throws where there is none: its absence is an error of `check`. */
export function connectionFile(
  connection: string,
  { connections = {} }: Pick<EmitPlan, "connections">,
  layout: Pick<Layout, "connection">,
): ConnectionFile {
  const names = generatedNames(Object.keys(connections)).get(connection);
  if (names === undefined) throw new Error(`There is no connection ${connection}.`);
  return { path: layout.connection(names), constant: `${names.camel}Connection` };
}

/** A connection's kind with its settings; `undefined` where the configuration has none of that name. */
export function connectionSettings(
  connection: string,
  { connections }: Pick<EmitPlan, "connections">,
): { readonly kind: HandlerKindName; readonly settings: JsonObject } | undefined {
  const [entry] = Object.entries(own(connections, connection) ?? {});
  // The format of the configuration lets no other key in.
  return entry === undefined ? undefined : { kind: entry[0] as HandlerKindName, settings: entry[1] };
}
