import { isObject } from "../../../compiler/src/model/json-kind.js";
import { connectionNameOf, declarationOf } from "../../../compiler/src/model/handlers/declaration-of.js";
import type { ToolSpec } from "../../../compiler/src/model/spec/tool-spec.js";

/** A variable that tools read from the environment. Its value is secret and never written. */
export interface NeededVariable {
  readonly name: string;
  /** The tools that read it, by name. */
  readonly tools: readonly string[];
}

/** Lists the variables that specs and declared connections need. */
export function neededEnvironment(
  tools: readonly { readonly name: string; readonly spec: ToolSpec }[],
  connections: { readonly [name: string]: unknown } = {},
): readonly NeededVariable[] {
  const readers = new Map<string, Set<string>>();
  for (const { name, spec } of tools) {
    const declared = declarationOf(spec);
    const connection = declared === undefined ? undefined : connectionNameOf(declared);
    const own =
      connection !== undefined && Object.hasOwn(connections, connection) ? connections[connection] : undefined;
    for (const variable of [...(spec.needs?.env ?? []), ...variablesIn(own)]) {
      const known = readers.get(variable) ?? new Set();
      readers.set(variable, known.add(name));
    }
  }
  return [...readers.keys()].toSorted().map((name) => ({ name, tools: [...(readers.get(name) ?? [])].toSorted() }));
}

/** Finds every `{ env: NAME }` of a connection. */
function variablesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(variablesIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "env" && typeof inner === "string" ? [inner] : variablesIn(inner),
  );
}

/** Describes a variable to the person who is asked for it. */
export function describeVariable({ tools }: NeededVariable): string {
  const [first = "", ...others] = tools;
  return others.length === 0 ? `Needed by ${first}.` : `Needed by ${first} and ${others.length} more.`;
}
