import { parsePointer, readReference } from "@hasp/base/json";
import type { JsonObject } from "@hasp/schema";

/** Finds the shared definitions to which schemas refer, directly or through others. */
export function findNeededDefinitions(schemas: readonly unknown[], definitions: JsonObject): ReadonlySet<string> {
  const needed = new Set(listReferredNames(schemas));
  for (const name of needed) for (const next of listReferredNames(definitions[name])) needed.add(next);
  return needed;
}

function listReferredNames(schema: unknown): readonly string[] {
  return [...JSON.stringify(schema ?? null).matchAll(/#\/\$defs\/[^"]+/gu)].flatMap(([reference]) => {
    const pointer = readReference(reference);
    return pointer === undefined ? [] : (parsePointer(pointer)[1] ?? []);
  });
}

/** Returns the name of the definition in which a place of the shared file is. */
export function readDefinitionName(pointer: string): string | undefined {
  return parsePointer(pointer)[1];
}

/** Says what is wrong with a tool, and in which shared definition. */
export function describeFault(message: string, definition: string | undefined): string {
  return definition === undefined ? message : `its definition "${definition}" is not valid: ${message}`;
}
