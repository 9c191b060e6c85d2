import type { JsonSchema } from "../vocabulary/json-schema.js";
import type { Resolve } from "../vocabulary/disjoint.js";
import { decodeFragment, pointerKeys } from "../json/pointer.js";

/** A named definition of the schema that is being closed. */
export interface Definition {
  /** `""` for the root, which `#` names. */
  readonly name: string;
  readonly pointer: string;
  readonly schema: JsonSchema;
}

/** Looks up what a local `$ref` names: the root or an entry of `$defs` or `definitions`. */
export type Definitions = (reference: string) => Definition | undefined;

export function resolver(definitions: Definitions): Resolve {
  return (reference) => definitions(reference)?.schema;
}

export function createDefinitions(root: JsonSchema): Definitions {
  return (reference) => {
    if (typeof root === "boolean") return undefined;
    if (reference === "#") return { name: "", pointer: "", schema: root };
    if (!/^#\/(\$defs|definitions)\/[^/]*$/.test(reference)) return undefined;
    const fragment = reference.slice(1);
    const [container = "", name = ""] = pointerKeys(decodeFragment(fragment) ?? fragment);
    const map = container === "$defs" ? root.$defs : root.definitions;
    if (map === undefined || !Object.hasOwn(map, name)) return undefined;
    const schema = map[name];
    return schema === undefined ? undefined : { name, pointer: reference.slice(1), schema };
  };
}
