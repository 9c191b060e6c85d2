import type { Keyword } from "../../dialects/definition/keyword-table.js";
import { joinList } from "@hasp/base/diagnostics";
import type { JsonValue } from "@hasp/base/json";
import type { SchemaObject } from "../../vocabulary/json-schema.js";
import { printQuantity } from "../../validate/checks/describe.js";

const LONGEST_QUOTE = 300;

/** Returns JSON text that is short enough for a description, or `undefined`. */
export function quoteJson(value: unknown): string | undefined {
  const text = JSON.stringify(value);
  return text === undefined || text.length > LONGEST_QUOTE ? undefined : text;
}

type Say = (value: unknown, schema: SchemaObject) => string | undefined;

const after =
  (start: string): Say =>
  (value) => {
    const text = quoteJson(value);
    return text === undefined ? undefined : `${start} ${text}.`;
  };

const pluralize =
  (start: string, noun: string): Say =>
  (value) =>
    `${start} ${printQuantity(Number(value), noun)}.`;

const SENTENCES: { readonly [keyword in Keyword]?: Say } = {
  minimum: (value) => `At least ${value}.`,
  maximum: (value) => `At most ${value}.`,
  exclusiveMinimum: (value) => `Greater than ${value}.`,
  exclusiveMaximum: (value) => `Less than ${value}.`,
  multipleOf: (value) => (value === 1 ? "A whole number." : `A multiple of ${value}.`),
  minLength: pluralize("At least", "character"),
  maxLength: pluralize("At most", "character"),
  pattern: (value, schema) => describePattern(String(value), schema),
  format: (value) => `Format: ${value}.`,
  minItems: pluralize("At least", "item"),
  maxItems: pluralize("At most", "item"),
  uniqueItems: (value) => (value === true ? "No item twice." : undefined),
  minProperties: pluralize("At least", "property"),
  maxProperties: pluralize("At most", "property"),
  contains: after("Holds an item that this JSON Schema accepts:"),
  minContains: (value) => `At least ${value} such items.`,
  maxContains: (value) => `At most ${value} such items.`,
  const: after("Always"),
  enum: (_, schema) => printValuesSentence(schema.enum ?? []),
  required: (_, schema) => `Required: ${joinList(schema.required ?? [])}.`,
  dependentRequired: (_, schema) =>
    Object.entries(schema.dependentRequired ?? {})
      .map(([name, others]) => `If ${name} is given, ${joinList(others)} must be given too.`)
      .join(" "),
  patternProperties: after("Keys that match these regular expressions hold:"),
  propertyNames: after("Each key fits this JSON Schema:"),
  prefixItems: after("The items in order:"),
  oneOf: () => "Exactly one of the forms fits.",
  anyOf: after("At least one of these JSON Schemas fits:"),
  allOf: after("Each of these JSON Schemas fits:"),
  not: after("Not a value that this JSON Schema accepts:"),
  if: (_, schema) => sentenceForCondition(schema),
  dependentSchemas: after("For each of these keys that is given, its JSON Schema fits:"),
};

// The patterns that Zod 4.6 and ArkType 2.2 write for a format, as their JSON Schemas spell them: the format, and what
// else the pattern says. Valibot 1.5 and TypeBox 0.34 write the format alone.
// prettier-ignore
const KNOWN: { readonly [pattern: string]: string } = {
  "^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))$": "date",
  "^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?(?:Z))$": "date-time. In UTC: it ends with Z",
  "^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?(?:Z|([+-](?:[01]\\d|2[0-3]):[0-5]\\d)))$": "date-time",
  "^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?(?:Z)|(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d+)?)?)$": "date-time. It ends with Z, or says no offset",
  "^(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d+)?)?$": "time. Without an offset",
  "^P(?:(\\d+W)|(?!.*W)(?=\\d|T\\d)(\\d+Y)?(\\d+M)?(\\d+D)?(T(?=\\d)(\\d+H)?(\\d+M)?(\\d+([.,]\\d+)?S)?)?)$": "duration",
  "^(?:[A-Za-z0-9_'+\\-]+\\.)*[A-Za-z0-9_'+\\-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$": "email",
  "^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$": "uuid",
  "^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12})$": "uuid. Of version 4",
  "^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-6[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12})$": "uuid. Of version 6",
  "^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-7[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12})$": "uuid. Of version 7",
  "^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$": "uuid",
  "^(?:(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9][0-9]|[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9][0-9]|[0-9])$": "ipv4",
  "^(([0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4}|([0-9a-fA-F]{1,4}:){1,7}:|([0-9a-fA-F]{1,4}:){1,6}:[0-9a-fA-F]{1,4}|([0-9a-fA-F]{1,4}:){1,5}(:[0-9a-fA-F]{1,4}){1,2}|([0-9a-fA-F]{1,4}:){1,4}(:[0-9a-fA-F]{1,4}){1,3}|([0-9a-fA-F]{1,4}:){1,3}(:[0-9a-fA-F]{1,4}){1,4}|([0-9a-fA-F]{1,4}:){1,2}(:[0-9a-fA-F]{1,4}){1,5}|[0-9a-fA-F]{1,4}:((:[0-9a-fA-F]{1,4}){1,6})|:((:[0-9a-fA-F]{1,4}){1,7}|:))$": "ipv6",
  "^(?=.{1,253}\\.?$)[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[-0-9a-zA-Z]{0,61}[0-9a-zA-Z])?)*\\.?$": "hostname",
  "^[\\w%+.-]+@[\\d.A-Za-z-]+\\.[A-Za-z]{2,}$": "email",
  "^[\\dA-Fa-f]{8}-[\\dA-Fa-f]{4}-4[\\dA-Fa-f]{3}-[89ABab][\\dA-Fa-f]{3}-[\\dA-Fa-f]{12}$": "uuid. Of version 4",
  "^[\\dA-Fa-f]{8}-[\\dA-Fa-f]{4}-7[\\dA-Fa-f]{3}-[89ABab][\\dA-Fa-f]{3}-[\\dA-Fa-f]{12}$": "uuid. Of version 7",
  "^[\\dA-Fa-f]{8}-[\\dA-Fa-f]{4}-[1-8][\\dA-Fa-f]{3}-[89ABab][\\dA-Fa-f]{3}-[\\dA-Fa-f]{12}$": "uuid",
  "^((?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])[.]){3}(?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])$": "ipv4",
  "^((?:(?:[0-9a-fA-F]{1,4}):){7}(?:(?:[0-9a-fA-F]{1,4})|:)|(?:(?:[0-9a-fA-F]{1,4}):){6}(?:((?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])[.]){3}(?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])|:(?:[0-9a-fA-F]{1,4})|:)|(?:(?:[0-9a-fA-F]{1,4}):){5}(?::((?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])[.]){3}(?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])|(:(?:[0-9a-fA-F]{1,4})){1,2}|:)|(?:(?:[0-9a-fA-F]{1,4}):){4}(?:(:(?:[0-9a-fA-F]{1,4})){0,1}:((?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])[.]){3}(?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])|(:(?:[0-9a-fA-F]{1,4})){1,3}|:)|(?:(?:[0-9a-fA-F]{1,4}):){3}(?:(:(?:[0-9a-fA-F]{1,4})){0,2}:((?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])[.]){3}(?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])|(:(?:[0-9a-fA-F]{1,4})){1,4}|:)|(?:(?:[0-9a-fA-F]{1,4}):){2}(?:(:(?:[0-9a-fA-F]{1,4})){0,3}:((?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])[.]){3}(?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])|(:(?:[0-9a-fA-F]{1,4})){1,5}|:)|(?:(?:[0-9a-fA-F]{1,4}):){1}(?:(:(?:[0-9a-fA-F]{1,4})){0,4}:((?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])[.]){3}(?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])|(:(?:[0-9a-fA-F]{1,4})){1,6}|:)|(?::((?::(?:[0-9a-fA-F]{1,4})){0,5}:((?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])[.]){3}(?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])|(?::(?:[0-9a-fA-F]{1,4})){1,7}|:)))(%[0-9a-zA-Z.]{1,})?$": "ipv6",
};

/** Puts a pattern in words: those of the format that a library writes it for, where it is known. */
function describePattern(pattern: string, { format = "" }: Pick<SchemaObject, "format">): string | undefined {
  const meant = Object.hasOwn(KNOWN, pattern) ? KNOWN[pattern] : undefined;
  if (meant === undefined) return `Matches the regular expression ${pattern}`;
  const [name = "", further] = meant.split(". ");
  if (format !== name) return `Format: ${meant}.`;
  return further && `${further}.`;
}

/** Returns a sentence about a constraint for the model, or `undefined` if it would not help or would be too long. */
export function printSentence(keyword: Keyword, schema: SchemaObject): string | undefined {
  return schema[keyword] === undefined ? undefined : SENTENCES[keyword]?.(schema[keyword], schema);
}

export function printValuesSentence(values: readonly JsonValue[]): string | undefined {
  const texts = values.map((value) => quoteJson(value));
  if (texts.some((text) => text === undefined) || texts.join().length > LONGEST_QUOTE) return undefined;
  return `One of ${texts.join(", ")}.`;
}

function sentenceForCondition(schema: SchemaObject): string | undefined {
  const condition = quoteJson(schema.if);
  if (condition === undefined) return undefined;
  const consequences = [
    schema.then === undefined ? undefined : `then ${quoteJson(schema.then)}`,
    schema.else === undefined ? undefined : `otherwise ${quoteJson(schema.else)}`,
  ].filter((part) => part !== undefined);
  return consequences.length === 0 ? undefined : `If ${condition} fits, ${consequences.join(", ")} does.`;
}

export function joinDescription(
  description: string | undefined,
  sentences: readonly (string | undefined)[],
): string | undefined {
  const parts = [description, ...sentences].filter((part) => part !== undefined && part !== "");
  return parts.length === 0 ? undefined : parts.join(" ");
}
