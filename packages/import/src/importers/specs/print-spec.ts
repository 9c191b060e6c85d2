import { isList, isStructured, canonicalText } from "@hasp/base/json";
import type { JsonArray, JsonObject, JsonValue } from "@hasp/schema";
import { type ToStringOptions, Document, Pair, Scalar, YAMLMap, YAMLSeq } from "yaml";
import { parseSource } from "@hasp/compiler/source";

const LINE_WIDTH = 100;
const SHORT_LIST = 70;

/**
 * Prints a spec as YAML in the house style: blocks, long strings wrapped, short string lists on one line. Returns
 * `undefined` if the output does not read back as exactly the same value.
 */
export function printSpec(spec: JsonObject, header: readonly string[] = []): string | undefined {
  for (const style of ["readable", "quoted"] as const) {
    const text = printUnchecked(spec, header, style);
    if (readsAs(text, spec, JSON.stringify)) return text;
  }
  return undefined;
}

/** Prints a spec without reading it back: enough for a comparison, not for writing. */
export function printUnchecked(spec: JsonObject, header: readonly string[], style: Style = "readable"): string {
  // `compat` quotes strings that YAML 1.1 reads as booleans, for other parsers.
  const body = new Document(createSpecNode(spec, style), { compat: "yaml-1.1" }).toString(PRINT_OPTIONS);
  return header.map((line) => `# ${line}\n`).join("") + body;
}

export const PRINT_OPTIONS: ToStringOptions = {
  lineWidth: LINE_WIDTH,
  flowCollectionPadding: false,
  doubleQuotedMinMultiLineLength: LINE_WIDTH,
};

/** `readable` folds long strings into blocks; `quoted` uses JSON escapes for every string that is not plain. */
type Style = "readable" | "quoted";

export function createSpecNode(value: JsonValue, style: Style): Scalar | YAMLMap | YAMLSeq {
  if (isList(value)) {
    const sequence = new YAMLSeq();
    sequence.items = value.map((item) => createSpecNode(item, style));
    sequence.flow = isShortList(value);
    return sequence;
  }
  if (isStructured(value)) {
    const map = new YAMLMap();
    map.items = Object.entries(value).map(([key, item]) => new Pair(new Scalar(key), createSpecNode(item, style)));
    map.flow = map.items.length === 0;
    return map;
  }
  const scalar = new Scalar(value);
  if (typeof value === "string" && style === "readable") {
    if (value.includes("\n")) scalar.type = "BLOCK_LITERAL";
    else if (value.length > LINE_WIDTH - 30 && value.includes(" ")) scalar.type = "BLOCK_FOLDED";
  }
  return scalar;
}

function isShortList(values: JsonArray): boolean {
  return values.every((value) => !isStructured(value)) && JSON.stringify(values).length <= SHORT_LIST;
}

/** True if the compiler reads this value from the text: as `print` has it, by itself in any order of keys. */
export function readsAs(text: string, spec: JsonValue, print: (value: JsonValue) => string = canonicalText): boolean {
  const { value, diagnostics } = parseSource({ uri: "imported.tool.yaml", text, role: "spec" });
  return value !== undefined && diagnostics.length === 0 && print(value.value) === print(spec);
}
