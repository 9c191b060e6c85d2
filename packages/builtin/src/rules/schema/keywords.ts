import { canonicalText, own } from "@hasp/base/json";
import type { JsonObject, JsonValue } from "@hasp/schema";
import { assertedFormats } from "@hasp/schema/validate";
import { offerRemoval, findClosest } from "@hasp/base/diagnostics";
import { visitSchemas } from "@hasp/compiler/model";
import {
  type SchemaNode,
  reporting,
  spec,
  defineRule,
  type Rule,
  isEnumerated,
  type FlatSchema,
} from "@hasp/compiler/plugin";

const SAYS_JSON =
  /\b(?:serialized|stringified|encoded) JSON\b|\bJSON[- ](?:encoded|serialized|stringified|formatted) (?:string|text|object|array|list)\b|\bas (?:a )?JSON string\b|\bJSON string (?:of|with|containing|detailing|describing|that)\b|\b(?:object|array|list|data) (?:as|in) (?:a )?JSON(?: format| string)?\b/iu;

const OR_OTHER = /\bor (?:a |as )?JSON\b|\bJSON or\b/iu;

export const jsonInString: Rule = defineRule({
  id: "schema/json-in-string",
  severity: "warning",
  summary: "Structured data is an object or a list, not JSON inside a string.",
  why:
    "A model that writes JSON inside a string has to escape every quote, and no schema tells it which keys to use. Nothing " +
    "checks the content before the handler parses it.",
  messages: {
    nested:
      'The description of "{name}" asks for {words}. Give it the schema of the data itself, or "contentMediaType: application/json" where it must stay a string.',
  },
  examples: {
    bad: [
      reporting("nested")`
        name: generate_report
        description: Write a report.
        input: { type: object, properties: { preferences: { type: string, description: Serialized JSON string detailing the user's preferences. } } }
      `,
    ],
    good: [
      spec`
        name: generate_report
        description: Write a report.
        input:
          type: object
          properties:
            preferences: { type: object, properties: { style: { type: string, description: Of the room. } }, description: The user's preferences. }
            body: { type: string, description: Text or JSON string. }
            raw: { type: string, contentMediaType: application/json, description: Sent as a JSON string. }
      `,
    ],
  },
  visitTool(tool, { report }) {
    return {
      parameter(parameter) {
        const { schema, description, types, property, pointer } = parameter;
        if (!types.has("string") || isEnumerated(parameter) || schema.contentMediaType !== undefined) return;
        const [words] = SAYS_JSON.exec(description) ?? [];
        if (words === undefined || OR_OTHER.test(description)) return;
        report("nested", { location: tool.input.locate(pointer, "key") }, { name: property, words });
      },
    };
  },
});

/** Formats that inform a model although hasp does not assert them: JSON Schema's others and OpenAPI's. */
const NOTED: ReadonlySet<string> = new Set(
  (
    "idn-email idn-hostname iri iri-reference uri-template relative-json-pointer " +
    "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float double decimal byte binary password"
  ).split(" "),
);

export const unknownFormat: Rule = defineRule({
  id: "schema/unknown-format",
  severity: "warning",
  summary: "Every format is asserted, or is a registered annotation.",
  why:
    "Neither hasp nor a provider asserts an unknown format. It looks like a check but is none. Use " +
    "a pattern, an enum or a sentence in the description instead.",
  messages: {
    misspelt: 'Nothing asserts the format "{format}".{nearest:suggestion}',
    unknown: 'Nothing asserts the format "{format}"; write a pattern, or say in the description what is meant.',
  },
  examples: {
    bad: [
      reporting("misspelt", "unknown")`
        name: find_event
        description: Find an event.
        input:
          type: object
          properties: { since: { type: string, format: datetime }, colour: { type: string, format: rgb } }
      `,
    ],
    good: [
      spec`
        name: find_event
        description: Find an event.
        input:
          type: object
          properties:
            since: { type: string, format: date-time }
            id: { type: integer, format: int64 }
            colour: { type: string, pattern: "^#[0-9a-f]{6}$" }
      `,
    ],
  },
  visitTool(tool, { report }) {
    const check = ({ schema: { format }, pointer }: SchemaNode, flat: FlatSchema | undefined): void => {
      if (flat === undefined || format === undefined || assertedFormats.has(format) || NOTED.has(format)) return;
      const at = { location: flat.locate(`${pointer}/format`) };
      const nearest = findClosest(format, [...assertedFormats.keys()]);
      if (nearest === undefined) report("unknown", at, { format });
      else report("misspelt", at, { format, nearest: [nearest] });
    };
    return { input: (node) => check(node, tool.input), output: (node) => check(node, tool.output) };
  },
});

export const requiredWithDefault: Rule = defineRule({
  id: "schema/required-with-default",
  severity: "warning",
  summary: "A parameter is required or has a default, not both.",
  why:
    "A default is for calls that leave a parameter out, and a required one must never be left out. Models read both and " +
    "may do either; each call that repeats the default costs tokens.",
  messages: {
    both: '"{name}" is required and has the default {value}. Remove it from "required", or remove the default.',
  },
  examples: {
    bad: [
      reporting("both")`
        name: read_console
        description: Read the console.
        input:
          type: object
          required: [level]
          properties: { level: { enum: [error, info], default: info } }
      `,
    ],
    good: [
      spec`
        name: read_console
        description: Read the console.
        input:
          type: object
          required: [kind]
          properties: { level: { enum: [error, info], default: info }, kind: { const: console, default: console } }
      `,
    ],
  },
  visitTool(tool, { report }) {
    return {
      parameter({ schema, pointer, property, isRequired }) {
        // A constant must be required to tell branches of a union apart.
        if (!isRequired || schema.default === undefined || Object.hasOwn(schema, "const")) return;
        const location = tool.input.locate(`${pointer}/default`);
        report("both", { location }, { name: property, value: JSON.stringify(schema.default) });
      },
    };
  },
});

/** Lists whose items JSON Schema requires to be unique. */
const LISTS = ["required", "type", "enum"] as const;

export const repeatedItem: Rule = defineRule({
  id: "schema/repeated-item",
  severity: "warning",
  summary: "No list in a schema contains an item twice.",
  why:
    "JSON Schema requires distinct items in `required`, `type` and `enum`. Most validators ignore duplicates, some providers reject " +
    "the whole request, and usually a different item was meant.",
  messages: {
    repeated: '"{keyword}" contains {item} twice. Remove one of them.',
  },
  examples: {
    bad: [
      reporting("repeated", "repeated")`
        name: find
        description: Find.
        input:
          type: object
          required: [id, id]
          properties: { id: { type: string, enum: [a, b, a] } }
      `,
    ],
    good: [
      spec`
        name: find
        description: Find.
        input:
          type: object
          required: [id]
          properties: { id: { type: [string, "null"], enum: [a, "1", 1] } }
      `,
    ],
  },
  checkTool(tool, { report }) {
    for (const part of ["input", "output"] as const) {
      const schema = tool.spec[part] as JsonValue | undefined;
      if (schema === undefined) continue;
      for (const { pointer, ...parameters } of repeatedIn(schema)) {
        const location = tool.locate(`/${part}${pointer}`);
        report("repeated", { location, ...offerRemoval(location, `${tool.pointer}/${part}${pointer}`) }, parameters);
      }
    }
  },
  checkProject({ documents }, { report }) {
    for (const document of documents.filter(({ role }) => role === "shared")) {
      for (const { pointer, ...parameters } of repeatedIn(document.value)) {
        const location = document.locate(pointer);
        report("repeated", { location, ...offerRemoval(location, pointer) }, parameters);
      }
    }
  },
});

interface RepeatedItem {
  readonly pointer: string;
  readonly keyword: string;
  readonly item: string;
}

function repeatedIn(root: JsonValue): readonly RepeatedItem[] {
  const found: RepeatedItem[] = [];
  visitSchemas(root, "", (schema, pointer) => {
    for (const keyword of LISTS) found.push(...repeatedItems(schema, keyword, pointer));
  });
  return found;
}

function repeatedItems(schema: JsonObject, keyword: (typeof LISTS)[number], pointer: string): readonly RepeatedItem[] {
  const list: unknown = own(schema, keyword);
  if (!Array.isArray(list) || list.length < 2) return [];
  const seen = new Set<string>();
  return (list as readonly JsonValue[]).flatMap((value, index) => {
    const item = canonicalText(value);
    if (!seen.has(item)) {
      seen.add(item);
      return [];
    }
    return [{ pointer: `${pointer}/${keyword}/${index}`, keyword, item }];
  });
}
