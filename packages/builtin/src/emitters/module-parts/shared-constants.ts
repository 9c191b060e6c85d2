import type { JsonValue } from "@hasp/schema";
import { mapMembers, findOrAdd, isStructured, isList, isObject } from "@hasp/base/json";
import { code, type Code, type Data, literal, name, printCreator } from "@hasp/compiler/code";
import type { HoistedSchema } from "@hasp/compiler/model";
import { takeName, typeName } from "@hasp/compiler/layout";
import type { ToolShared } from "../base/shared-names.js";

export interface SchemaPrinter {
  /** Prints a value with constants in it, except for `root` itself. */
  print(value: JsonValue, root?: object): Data;
  /** Prints a schema with definitions; `whole` prints it without. */
  printHoisted(hoisted: HoistedSchema, whole: () => Data): Data;
  readonly used: ReadonlySet<string>;
  /** Prints the module's own constants, which must precede their uses. */
  locals(): readonly Code[];
  readonly localTypes: readonly string[];
  /** The functions from `@hasp/runtime/codegen/v1` called so far. */
  readonly helpers: ReadonlySet<string>;
}

/** Creates the printer of a tool's schemas. Repeated parts become constants whose names start with `prefix`. */
export function createSchemaPrinter(
  { schemaOf }: Pick<ToolShared, "schemaOf">,
  hoisted: readonly HoistedSchema[] = [],
  prefix = "",
): SchemaPrinter {
  const used = new Set<string>();
  const helpers = new Set<string>();
  const locals = findLocalConstants(hoisted, schemaOf, prefix);
  const localNames = new Set(Array.from(locals.values(), ({ name: local }) => local));
  const texts = new Map<object, string>();

  function textOf(node: object): string {
    return findOrAdd(texts, node, () => JSON.stringify(node));
  }

  function constantOf(node: object): string | undefined {
    const shared = schemaOf(node);
    return shared !== undefined || locals.size === 0 ? shared?.name : locals.get(textOf(node))?.name;
  }

  function read(constant: string): Code {
    if (!localNames.has(constant)) used.add(constant);
    return readConstant(constant);
  }

  /** True for parts of shared definitions, whose module does not know this module's constants. */
  function isPrintedApart(node: object, inShared: ReadonlySet<object>): boolean {
    return inShared.has(node) && schemaOf(node) === undefined;
  }

  function nodesInShared(value: JsonValue, isInside = false, found = new Set<object>()): ReadonlySet<object> {
    if (!isStructured(value)) return found;
    if (isInside) found.add(value);
    const isShared = isInside || schemaOf(value) !== undefined;
    for (const inner of Object.values(value) as JsonValue[]) nodesInShared(inner, isShared, found);
    return found;
  }

  function print(value: JsonValue, root?: object): Data {
    if (!isStructured(value)) return value;
    if (isList(value)) return value.map((item) => print(item));
    const constant = value === root ? undefined : constantOf(value);
    if (constant !== undefined) return read(constant);
    return mapMembers(value, (item) => print(item));
  }

  return {
    print,
    printHoisted({ whole: lowered, schema, occurrences }, whole) {
      const inShared = nodesInShared(lowered as JsonValue);
      const definitions = occurrences.map(([called, nodes]) => {
        const constants = new Set(nodes.map((node) => (isPrintedApart(node, inShared) ? undefined : constantOf(node))));
        return [called, constants.size === 1 ? [...constants][0] : undefined] as const;
      });
      // Equal subschemas of two definitions have two constants: print such a schema as it is.
      if (definitions.some(([, constant]) => constant === undefined)) return print(schema as JsonValue);
      helpers.add("withDefinitions");
      const named = Object.fromEntries(definitions.map(([called, constant = ""]) => [called, read(constant)]));
      return code`withDefinitions(${literal(whole())}, ${literal(named)})`;
    },
    locals: () =>
      [...locals.values()].map(({ name: local, node }) => {
        const value = print(node as JsonValue, node);
        return printLazyConstant(local, chooseSchemaType(node as JsonValue), value);
      }),
    localTypes: [...locals.values()].map(({ node }) => chooseSchemaType(node as JsonValue)),
    helpers,
    used,
  };
}

interface LocalConstant {
  readonly name: string;
  readonly node: object;
}

/** Makes constants of repeated subschemas, by text, shortest first. */
function findLocalConstants(
  hoisted: readonly HoistedSchema[],
  schemaOf: ToolShared["schemaOf"],
  prefix: string,
): ReadonlyMap<string, LocalConstant> {
  const found = new Map<string, { readonly called: string; readonly node: object }>();
  for (const [called, nodes] of hoisted.flatMap(({ occurrences }) => occurrences)) {
    const [node] = nodes;
    if (node !== undefined && nodes.every((each) => schemaOf(each) === undefined)) {
      const text = JSON.stringify(node);
      if (!found.has(text)) found.set(text, { called, node });
    }
  }
  const names = new Set<string>();
  const constants = [...found].map(([text, { called, node }]): [string, LocalConstant] => {
    return [text, { name: takeName(names, [`${prefix}_${typeName(called)}`]), node }];
  });
  return new Map(constants.toSorted(([left], [right]) => left.length - right.length));
}

export function isObjectSchema(schema: JsonValue): boolean {
  return isObject(schema) && schema["type"] === "object";
}

/** Chooses a schema's type: providers' SDKs require an object schema at a tool's root. */
export function chooseSchemaType(schema: JsonValue): string {
  return isObjectSchema(schema) ? "ObjectSchema" : "JsonSchema";
}

export function printLazyConstant(declared: string, type: string, value: Data): Code {
  const create = printCreator(code`unknown`, literal(value));
  return code`const ${name(declared)}: Lazy<${name(type)}> = /* @__PURE__ */ lazySchema(${create});`;
}

export function readConstant(declared: string): Code {
  return code`${name(declared)}()`;
}
