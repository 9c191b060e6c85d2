import { FAIL_CLOSED_DEFAULTS } from "@hasp/runtime";
import type { JsonObject, JsonValue } from "@hasp/schema";
import type { EmitModel } from "../../emitters/emitter.js";
import type { OutputFile } from "../../model/output.js";
import type { FlatTool } from "../../model/tool.js";
import { readConstants } from "../../typescript/read-literal.js";
import { isSameJson } from "../../typescript/same-json.js";

/**
 * Reads back what was emitted and holds it against the model, before a build is called good: every list, and every
 * behavioural fact of every tool. A difference is a fault of hasp and stops the build.
 */
export function readBack(model: EmitModel, files: readonly OutputFile[]): void {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const textOf = (path: string): string => texts.get(path) ?? fault(path, "it was not written");
  for (const { name, lists } of model.toolsets) {
    for (const { dialect, tools } of lists) {
      const path = model.layout.providerList(name, dialect, "json");
      const isSame = isSameJson(JSON.parse(textOf(path)), tools.map(({ definition }) => definition));
      if (!isSame) fault(path, "the list says something else than what was lowered");
    }
  }
  for (const tool of model.tools) {
    const path = model.layout.toolModule(tool.name);
    const constant = `${model.layout.names(tool.name).camel}Metadata`;
    proveMetadata(tool, readConstants(textOf(path), (name) => name === constant).get(constant), path);
  }
}

/** Each fact that the spec leaves out has its strict value, each that it states has its own. */
function proveMetadata(tool: FlatTool, metadata: JsonValue | undefined, path: string): void {
  const written = leaves(metadata ?? null);
  const defaults = leaves(FAIL_CLOSED_DEFAULTS as unknown as JsonObject);
  const resolved = leaves(tool.metadata as unknown as JsonObject);
  for (const [field, strict] of defaults) {
    const expected = tool.stated.has(field) ? resolved.get(field) : strict;
    if (!written.has(field) || written.get(field) !== expected) {
      fault(path, `${field} is ${JSON.stringify(written.get(field))} there, not ${JSON.stringify(expected)}`);
    }
  }
  if (written.size !== defaults.size) fault(path, "it holds facts that the table of defaults does not know");
}

/** The scalars of nested objects by their dotted path. */
function leaves(value: JsonValue, path = ""): ReadonlyMap<string, JsonValue> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return new Map([[path, value]]);
  return new Map(Object.entries(value).flatMap(([key, inner]) => [...leaves(inner, path === "" ? key : `${path}.${key}`)]));
}

/** Stops the build: what stands in a file is not what hasp meant to write. */
export function fault(path: string, problem: string): never {
  throw new Error(`hasp made a fault in ${path}: ${problem}. Nothing was written; please report this.`);
}
