import type { JsonValue } from "@hasp/schema";
import { groupBy } from "../../model/group-by.js";
import { isList, isObject } from "../../model/json-kind.js";
import { type Code, type Data, name } from "../../typescript/code.js";
import { type ImportedName, importStatement } from "../../typescript/declarations.js";
import type { ToolShared } from "../base/shared-names.js";

/** A name that a module takes from the module of a definition. */
export interface SharedImport extends ImportedName {
  /** The module of the definition. */
  readonly module: string;
}

/** What prints schemas for one module, with the names of constants in place of what these hold. */
export interface SchemaPrinter {
  /** A value with names in it; `root`, if given, is printed in full all the same. */
  print(value: JsonValue, root?: object): Data;
  /** The constants that were named so far. */
  readonly used: readonly SharedImport[];
}

/** Makes the printer of one module. */
export function schemaPrinter({ schemaOf }: Pick<ToolShared, "schemaOf">): SchemaPrinter {
  const used = new Map<string, SharedImport>();
  const print = (value: JsonValue, root?: object): Data => {
    if (typeof value !== "object" || value === null) return value;
    if (isList(value)) return value.map((item) => print(item));
    const constant = value === root ? undefined : schemaOf(value);
    if (constant === undefined) {
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, print(item)]));
    }
    used.set(constant.name, { name: constant.name, module: constant.module });
    return name(constant.name);
  };
  return {
    print,
    get used() {
      return [...used.values()];
    },
  };
}

/** Providers want an object schema at the root of a tool, and the types of their SDKs say so. */
export function schemaType(schema: JsonValue): string {
  return isObject(schema) && schema["type"] === "object" ? "ObjectSchema" : "JsonSchema";
}

/** Prints the imports from the modules of definitions, by path. */
export function sharedImports(names: readonly SharedImport[], pathOf: (module: string) => string): readonly Code[] {
  return [...groupBy(names, ({ module }) => pathOf(module))]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([path, imported]) => importStatement(imported, path));
}
