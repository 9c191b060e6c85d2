import type { JsonSchema } from "../json-schema.js";

/** A named definition of the schema that is being closed. */
export interface Definition {
  /** `""` for the root, which `#` names. */
  readonly name: string;
  readonly pointer: string;
  readonly schema: JsonSchema;
}

/** Looks up what a local `$ref` names: the root or an entry of `$defs` or `definitions`. */
export type Definitions = (reference: string) => Definition | undefined;

/** The definitions of a root schema. */
export function createDefinitions(root: JsonSchema): Definitions {
  return (reference) => {
    if (typeof root === "boolean") return undefined;
    if (reference === "#") return { name: "", pointer: "", schema: root };
    const [, container, escaped] = /^#\/(\$defs|definitions)\/([^/]*)$/.exec(reference) ?? [];
    if (container === undefined || escaped === undefined) return undefined;
    const name = decode(escaped).replaceAll("~1", "/").replaceAll("~0", "~");
    const map = container === "$defs" ? root.$defs : root.definitions;
    if (map === undefined || !Object.hasOwn(map, name)) return undefined;
    const schema = map[name];
    return schema === undefined ? undefined : { name, pointer: reference.slice(1), schema };
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
