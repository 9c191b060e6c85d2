import type { JsonSchema, JsonValue } from "@hasp/schema";
import { excerpt } from "@hasp/schema/diagnostics";
import { numberLiteral } from "./notation.js";

const lineWidth = 76;

/** The lines of a docstring as they stand in the file, without indentation; none for no text. */
export function docComment(paragraphs: readonly string[]): readonly string[] {
  const lines = paragraphs
    .filter((paragraph) => paragraph !== "")
    .flatMap((paragraph, index) => [...(index === 0 ? [] : [""]), ...wrapped(paragraph)]);
  const [only] = lines;
  if (only === undefined) return [];
  if (lines.length === 1 && only.length < lineWidth - 6) return [`/** ${only} */`];
  return ["/**", ...lines.map((line) => (line === "" ? " *" : ` * ${line}`)), " */"];
}

/** The docstring of a schema; worked out once, for a node is seen by callers and by handlers. */
export function schemaComment(schema: JsonSchema): readonly string[] {
  if (typeof schema === "boolean") return [];
  const known = schemaComments.get(schema);
  if (known !== undefined) return known;
  const comment = docComment(schemaParagraphs(schema));
  schemaComments.set(schema, comment);
  return comment;
}

const schemaComments = new WeakMap<object, readonly string[]>();

/** What a schema says about its values to a reader: title, description, and the constraints that a type cannot say. */
export function schemaParagraphs(schema: JsonSchema): readonly string[] {
  if (typeof schema === "boolean") return [];
  const { title, description } = schema;
  const constraints = constraintsOf(schema).join(" ");
  const prose = [title, description].filter((text) => typeof text === "string").map(asComment);
  return [...prose, asComment(constraints), ...(schema.deprecated === true ? ["@deprecated"] : [])];
}

/** Text that may stand in a block comment: it cannot end it, hide in it, or become a tag of a documentation tool. */
export function asComment(text: string): string {
  if (harmless.test(text)) return text;
  return text
    .replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]|\p{Cf}/gu, " ")
    .replaceAll("*/", "*\\/")
    .replaceAll(/<(?=\/script|!--)/giu, "<\\")
    .replaceAll(/^(\s*)@/gmu, "$1\\@");
}

/** Most texts: plain ASCII without the marks that could mean something in a comment. */
const harmless = /^[\n -)+-;=?A-~]*$/u;

function wrapped(paragraph: string): readonly string[] {
  return paragraph.split("\n").flatMap((text) => {
    const lines: string[] = [];
    let line = "";
    for (const word of text.split(/\s+/u).filter((each) => each !== "")) {
      if (line !== "" && line.length + word.length + 1 > lineWidth) {
        lines.push(line);
        line = "";
      }
      line = line === "" ? word : `${line} ${word}`;
    }
    return line === "" ? lines : [...lines, line];
  });
}

function constraintsOf(schema: Exclude<JsonSchema, boolean>): readonly string[] {
  const sentences: (string | undefined)[] = [
    typeof schema.format === "string" ? `Format: ${schema.format}.` : undefined,
    typeof schema.contentMediaType === "string" ? `Content: ${schema.contentMediaType}.` : undefined,
    typeof schema.pattern === "string" ? `Matches ${quoted(schema.pattern)}.` : undefined,
    counted(schema.minLength, schema.maxLength, "character"),
    numberRange(schema),
    schema.multipleOf === undefined ? undefined : `A multiple of ${numberLiteral(schema.multipleOf)}.`,
    counted(schema.minItems, schema.maxItems, "item"),
    schema.uniqueItems === true ? "No item twice." : undefined,
    counted(schema.minProperties, schema.maxProperties, "key"),
    schema.default === undefined ? undefined : `Default: ${quoted(shortJson(schema.default))}.`,
  ];
  return sentences.filter((sentence) => sentence !== undefined);
}

function numberRange(schema: Exclude<JsonSchema, boolean>): string | undefined {
  const kind = schema.type === "integer" ? "An integer" : "";
  const bounds = [
    schema.minimum === undefined ? undefined : `at least ${numberLiteral(schema.minimum)}`,
    schema.exclusiveMinimum === undefined ? undefined : `more than ${numberLiteral(schema.exclusiveMinimum)}`,
    schema.maximum === undefined ? undefined : `at most ${numberLiteral(schema.maximum)}`,
    schema.exclusiveMaximum === undefined ? undefined : `less than ${numberLiteral(schema.exclusiveMaximum)}`,
  ].filter((bound) => bound !== undefined);
  if (bounds.length === 0) return kind === "" ? undefined : `${kind}.`;
  return capitalised(`${kind === "" ? "" : `${kind}, `}${bounds.join(" and ")}.`);
}

function counted(least: number | undefined, most: number | undefined, unit: string): string | undefined {
  const units = (count: number): string => `${numberLiteral(count)} ${unit}${count === 1 ? "" : "s"}`;
  if (least !== undefined && least > 0 && most !== undefined) {
    return least === most ? `Exactly ${units(most)}.` : `${numberLiteral(least)} to ${units(most)}.`;
  }
  if (most !== undefined) return `At most ${units(most)}.`;
  return least !== undefined && least > 0 ? `At least ${units(least)}.` : undefined;
}

function quoted(text: string): string {
  return text.includes("`") ? text : `\`${text}\``;
}

function shortJson(value: JsonValue): string {
  return excerpt(JSON.stringify(value), 60);
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
