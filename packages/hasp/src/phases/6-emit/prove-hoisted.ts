import { isDeepStrictEqual } from "node:util";
import type { JsonObject, JsonValue } from "@hasp/schema";
import { isObject } from "../../model/json-kind.js";
import type { LoweredTool } from "../../model/lowered.js";
import { ownMember } from "../../model/own.js";
import { isSameJson } from "../../model/same-json.js";
import { ReadCall, ReadCode, type ReadModule, type ReadValue } from "../../typescript/read-module.js";
import { fault } from "./fault.js";
import type { ReadShared } from "./read-shared.js";

/** Checks an entry, the calls in it that move what a schema repeats to `$defs` included. */
export function proveHoisted(
  module: ReadModule,
  name: string,
  { definition, hoisted }: LoweredTool,
  shared: ReadShared,
): void {
  const resolve = (value: ReadValue | undefined): JsonValue =>
    module.resolve(value ?? null, (imported) => shared(module, imported)) as JsonValue;
  const prove = (written: ReadValue | undefined, expected: JsonValue): boolean => {
    if (written instanceof ReadCall && written.called === "withDefinitions") {
      const found = hoisted.find(({ schema }) => schema === expected);
      const [whole, definitions] = written.values;
      const names = Object.entries(definitions ?? {}).map(([called]) => called);
      return (
        found !== undefined &&
        isSameJson(resolve(whole), found.whole as JsonValue) &&
        isDeepStrictEqual(
          names,
          found.occurrences.map(([called]) => called),
        ) &&
        found.occurrences.every(([called, nodes]) =>
          nodes.every((node) => isSameJson(resolve(ownMember(definitions, called) as ReadValue), node as JsonObject)),
        )
      );
    }
    if (!isObject(expected) || written instanceof ReadCode) return isSameJson(resolve(written), expected);
    const keys = Object.keys(expected);
    return (
      keys.length === Object.keys(written ?? {}).length &&
      keys.every((key) => {
        const inner = ownMember(written, key) as ReadValue | undefined;
        return inner !== undefined && prove(inner, expected[key] ?? null);
      })
    );
  };
  if (!prove(module.constant(name), definition)) fault(module.path, `"${name}" reads otherwise than the model`);
}
