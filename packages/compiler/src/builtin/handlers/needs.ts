import type { Connections } from "../../model/handlers/declaration.js";
import { connectionNameOf, declarationOf } from "../../model/handlers/declaration-of.js";
import { isList, isObject } from "../../model/json-kind.js";
import { own } from "../../model/own.js";
import type { ToolSpec } from "../../model/spec/tool-spec.js";
import { findReferences } from "./kinds.js";

/**
 * Returns what a tool needs: its spec's `needs`, and the members of the context that its declared handler reads, such
 * as `user.id`. Without them a call would run without a restriction that the spec states.
 */
export function collectNeeds(spec: ToolSpec, connections: Connections = {}): ToolSpec["needs"] {
  const declared = declarationOf(spec);
  if (declared === undefined) return spec.needs;
  const connection = connectionNameOf(declared);
  const read = [
    ...findReferences(declared, spec).flatMap(({ source, path }) => (source === "context" ? path.join(".") : [])),
    ...Object.values(spec.bind ?? {}).map((value) => value.slice("context.".length)),
    ...(connection === undefined ? [] : membersIn(own(connections, connection))),
  ];
  const context = [...new Set([...(spec.needs?.context ?? []), ...read])];
  return context.length === 0 ? spec.needs : { ...spec.needs, context };
}

/** Names the members of the context in a connection's settings. */
function membersIn(settings: unknown): readonly string[] {
  if (isList(settings as never)) return (settings as readonly unknown[]).flatMap(membersIn);
  if (!isObject(settings)) return [];
  const { context, ...rest } = settings;
  return [...(typeof context === "string" ? [context] : []), ...Object.values(rest).flatMap(membersIn)];
}
