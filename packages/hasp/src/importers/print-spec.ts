import type { JsonArray, JsonObject, JsonValue } from "@hasp/schema";
import { Document, isMap, Pair, parseDocument, Scalar, YAMLMap, YAMLSeq } from "yaml";

const LINE_WIDTH = 100;
/** Longest list of words that stands on one line. */
const SHORT_LIST = 70;

/**
 * A spec as YAML in the house style: blocks, long text wrapped, short lists of words on one line. `undefined` if the text
 * would not read back as exactly the same value, which is tried before it is believed.
 */
export function printSpec(spec: JsonObject, header: readonly string[] = []): string | undefined {
  for (const style of ["readable", "quoted"] as const) {
    // `compat` puts quotes around words that YAML 1.1 reads as booleans, for the sake of other people's parsers.
    const document = new Document(nodeOf(spec, style), { compat: "yaml-1.1" });
    const body = document.toString({ lineWidth: LINE_WIDTH, flowCollectionPadding: false, doubleQuotedMinMultiLineLength: LINE_WIDTH });
    const text = header.map((line) => `# ${line}\n`).join("") + body;
    if (readsBackAs(text, spec)) return text;
  }
  return undefined;
}

/** `readable` folds long text into blocks; `quoted` leaves every string that is not plain to JSON's escapes. */
type Style = "readable" | "quoted";

function nodeOf(value: JsonValue, style: Style): Scalar | YAMLMap | YAMLSeq {
  if (isArray(value)) {
    const sequence = new YAMLSeq();
    sequence.items = value.map((item) => nodeOf(item, style));
    sequence.flow = isShortList(value);
    return sequence;
  }
  if (typeof value === "object" && value !== null) {
    const map = new YAMLMap();
    map.items = Object.entries(value).map(([key, item]) => new Pair(new Scalar(key), nodeOf(item, style)));
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
  return values.every((value) => typeof value !== "object" || value === null) && JSON.stringify(values).length <= SHORT_LIST;
}

function readsBackAs(text: string, spec: JsonObject): boolean {
  const document = parseDocument(text, { logLevel: "silent" });
  if (document.errors.length > 0 || document.warnings.length > 0 || !isMap(document.contents)) return false;
  // As text, since `toJS` and the spec may differ in prototypes but never in what they say.
  return JSON.stringify(document.toJS()) === JSON.stringify(spec);
}

const isArray = (value: JsonValue): value is JsonArray => Array.isArray(value);
