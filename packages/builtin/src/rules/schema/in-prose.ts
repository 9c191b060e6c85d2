import type { JsonValue } from "@hasp/schema";
import { reporting, spec, defineRule, type Rule, type Parameter, isEnumerated } from "@hasp/compiler/plugin";
import { findUnstatedBound } from "../reading/stated-bounds.js";
import type { FlatTool } from "@hasp/compiler";

const CONDITION =
  /\b(?:required|mandatory|must be (?:provided|given|set|specified)) (?:only )?(?:for|when|if|unless|with)\b[^.;\n]{0,60}/iu;

export const conditionInProse: Rule = defineRule({
  id: "schema/condition-in-prose",
  severity: "info",
  summary: "A condition under which a parameter is required is checked, not only described.",
  why:
    "Tools that combine several methods often say only in words which parameter each method needs. The schema accepts " +
    "every combination, so a call without the parameter fails inside the handler, after it has asked for permission.",
  messages: {
    unchecked:
      '"{name}" says "{words}", and nothing checks it. State it under "validate", or make the cases a union whose branches require what they need.',
  },
  examples: {
    bad: [
      reporting("unchecked")`
        name: write_label
        description: Write a label.
        input:
          type: object
          required: [method]
          properties:
            method: { enum: [create, delete] }
            color: { type: string, description: "The color. Required for 'create'." }
      `,
    ],
    good: [
      spec`
        name: write_label
        description: Write a label.
        input:
          type: object
          required: [method]
          properties:
            method: { enum: [create, delete] }
            color: { type: string, description: "The color. Required for 'create'." }
            id: { type: string, description: Required if the label already exists. }
        validate: [{ that: "input.method != 'create' || has(input.color)", message: create needs a color }]
      `,
    ],
  },
  visitTool(tool, { report }) {
    const parameters: Parameter[] = [];
    const claims: { readonly parameter: Parameter; readonly words: string }[] = [];
    return {
      parameter(parameter) {
        parameters.push(parameter);
        if (parameter.isRequired || parameter.isConditional) return;
        const [words] = CONDITION.exec(parameter.description) ?? [];
        if (words !== undefined) claims.push({ parameter, words });
      },
      end() {
        if (claims.length === 0) return;
        const checked = checkedNames(tool, parameters);
        const vocabulary = collectVocabulary(parameters);
        for (const { parameter, words } of claims) {
          const { property, pointer } = parameter;
          if (checked.has(property) || !isAboutInput(words, property, vocabulary)) continue;
          const location = tool.input.locate(pointer, "key");
          report("unchecked", { location }, { name: property, words: words.trim() });
        }
      },
    };
  },
});

/** True if a condition names another parameter or one of its values. Conditions about the world cannot be checked. */
function isAboutInput(words: string, property: string, vocabulary: ReadonlySet<string>): boolean {
  return wordsIn(words).some((word) => word !== property.toLowerCase() && vocabulary.has(word));
}

function collectVocabulary(parameters: readonly Parameter[]): ReadonlySet<string> {
  const words = new Set<string>();
  for (const { property, schema } of parameters) {
    words.add(property.toLowerCase());
    for (const value of [...(schema.enum ?? []), schema.const]) {
      if (typeof value === "string") words.add(value.toLowerCase());
    }
  }
  return words;
}

function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().match(/[\w-]+/gu) ?? [];
}

function checkedNames(tool: FlatTool, parameters: readonly Parameter[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const check of tool.spec.validate ?? []) {
    // A custom function may check any parameter.
    if ("custom" in check) for (const { property } of parameters) names.add(property);
    else for (const [word] of check.that.matchAll(/[\w$-]+/gu)) names.add(word);
  }
  for (const { schema, isConditional } of tool.input.nodes) {
    if (isConditional) for (const name of schema.required ?? []) names.add(name);
    for (const list of Object.values(schema.dependentRequired ?? {})) for (const name of list) names.add(name);
  }
  return names;
}

const SAID: readonly { readonly format: string; readonly pattern: RegExp }[] = [
  { format: "date-time", pattern: /\bRFC ?3339\b|YYYY-MM-DDTHH:MM:SSZ|\bISO[ -]?8601 (?:timestamp|date-?time)\b/iu },
  { format: "date", pattern: /\bYYYY-MM-DD\b(?![ T-]?(?:HH|\d))/iu },
  { format: "uuid", pattern: /\bUUID(?:v\d)?\b/u },
];

const SEVERAL = /\bor\b|\branges?\b|\beither\b|\blist of\b|,? separated|\bfor dates\b/iu;

export const formatInProse: Rule = defineRule({
  id: "schema/format-in-prose",
  severity: "info",
  summary: "A format that a description asks for is in the schema, too.",
  why:
    "Models write dates in many ways. Where the schema has no `format` or `pattern`, a date in another form reaches the handler, and " +
    "conditions that compare such strings give wrong results.",
  messages: {
    unasserted: '"{name}" asks for "{words}" only in its description. Add "format: {format}" to its schema.',
  },
  examples: {
    bad: [
      reporting("unasserted", "unasserted")`
        name: book_flight
        description: Book a flight.
        input:
          type: object
          properties:
            travel_date: { type: string, description: The date of the travel in the format YYYY-MM-DD }
            booking: { type: string, description: The UUID of the booking. }
      `,
    ],
    good: [
      spec`
        name: list_commits
        description: List commits.
        input:
          type: object
          properties:
            day: { type: string, format: date, description: The day as YYYY-MM-DD }
            since: { type: string, description: "A date, as YYYY-MM-DDTHH:MM:SSZ or YYYY-MM-DD" }
            at: { type: string, description: "The time as YYYY-MM-DD HH:MM:SS" }
      `,
    ],
  },
  visitTool(tool, { report }) {
    return {
      parameter(parameter) {
        const { schema, description, types, property } = parameter;
        if (!types.has("string") || isEnumerated(parameter) || SEVERAL.test(description)) return;
        if (schema.format !== undefined || schema.pattern !== undefined) return;
        for (const { format, pattern } of SAID) {
          const [words] = pattern.exec(description) ?? [];
          if (words === undefined) continue;
          const location = tool.input.locate(parameter.pointer, "key");
          report("unasserted", { location }, { name: property, words, format });
          break;
        }
      },
    };
  },
});

/** A complete list of quoted values up to the end of the sentence. */
const LISTED =
  /\b(?:one of|(?:possible|allowed|valid|accepted|supported) (?:values|options)(?: are)?|options are|must be|can be)(?: either)?[:\s]{0,2}[([]?(?<values>(?:["'`][^"'`\n]{1,40}["'`](?:\s?[,/|]\s?(?:or |and )?|\s(?:or|and)\s)?){2,40})[)\]]?\s?(?:[.;)]|$)/iu;

export const enumInProse: Rule = defineRule({
  id: "schema/enum-in-prose",
  severity: "warning",
  summary: "Values that a description lists are in the schema, too.",
  why:
    "With an `enum`, providers make the model choose one of the values, and any other is refused before the handler runs. If they are only " +
    "described, a model sooner or later writes another case, a plural or a synonym.",
  messages: {
    unlisted: 'The values of "{name}" are listed only in its description. Add "enum: [{values}]" to its schema.',
  },
  examples: {
    bad: [
      reporting("unlisted")`
        name: list_exports
        description: List exports.
        input:
          type: object
          properties: { filterName: { type: string, description: "The field. Possible values are 'Bot', 'BotLocale', or 'CustomVocabulary'." } }
      `,
    ],
    good: [
      spec`
        name: list_exports
        description: List exports.
        input:
          type: object
          properties:
            filterName: { enum: [Bot, BotLocale], description: "One of 'Bot' or 'BotLocale'." }
            analyzer: { type: string, description: "One of the built-in analyzers ('standard', 'simple'), or a custom one." }
      `,
    ],
  },
  visitTool(tool, { report }) {
    return {
      parameter(parameter) {
        const { schema, description, types, property, pointer } = parameter;
        if (!types.has("string") || isEnumerated(parameter) || schema.pattern !== undefined) return;
        const list = LISTED.exec(description)?.groups?.["values"];
        if (list === undefined) return;
        const values = Array.from(list.matchAll(/["'`]([^"'`]+)["'`]/gu), ([, value = ""]) => value);
        const location = tool.input.locate(pointer, "key");
        report("unlisted", { location }, { name: property, values: values.join(", ") });
      },
    };
  },
});

const DEFAULT =
  /\bdefault(?:s? to|s| is| value is| value:|:|=)?[ \t]{0,2}(?:["'`](?<quoted>[^"'`\n]{1,40})["'`]|(?<bare>-?\d+(?:\.\d+)?|true|false))(?=[\s.,;)\]]*(?:$|[\s.,;)\]]))(?!\.\d)(?![\s]+(?:if|when|for|unless|in)\b)/iu;

export const defaultInProse: Rule = defineRule({
  id: "schema/default-in-prose",
  severity: "info",
  summary: "A default that a description states is in the schema, too.",
  why:
    "Nothing fills in a default that is only described: conditions, checks and the handler see no value, and each has to repeat it. " +
    "A `default` in the schema is filled in before any of them runs.",
  messages: {
    unfilled: 'The default of "{name}" is stated only in its description. Add "default: {value}" to its schema.',
  },
  examples: {
    bad: [
      reporting("unfilled")`
        name: list_pages
        description: List pages.
        input: { type: object, properties: { page: { type: integer, description: "Page number (default: 1)" } } }
      `,
    ],
    good: [
      spec`
        name: list_pages
        description: List pages.
        input:
          type: object
          properties:
            page: { type: integer, default: 1, description: "Page number (default: 1)" }
            branch: { type: string, description: Defaults to the default branch of the repository. }
            strict: { type: boolean, description: Default true if the page is locked. }
      `,
    ],
  },
  visitTool(tool, { report }) {
    return {
      parameter(parameter) {
        // Inside unions no default is filled in, and required values are never absent.
        if (parameter.isConditional || parameter.isRequired || parameter.schema.default !== undefined) return;
        const value = statedDefault(parameter);
        if (value === undefined) return;
        const location = tool.input.locate(parameter.pointer, "key");
        report("unfilled", { location }, { name: parameter.property, value: JSON.stringify(value) });
      },
    };
  },
});

function statedDefault({ description, types, schema }: Parameter): JsonValue | undefined {
  const groups = DEFAULT.exec(description)?.groups;
  if (groups === undefined) return undefined;
  const text = groups["quoted"] ?? groups["bare"] ?? "";
  if ((types.has("number") || types.has("integer")) && /^-?\d+(?:\.\d+)?$/u.test(text)) return Number(text);
  if (types.has("boolean") && /^(?:true|false)$/iu.test(text)) return text.toLowerCase() === "true";
  if (!types.has("string") || groups["quoted"] === undefined) return undefined;
  return schema.enum === undefined || schema.enum.includes(text) ? text : undefined;
}

export const boundInProse: Rule = defineRule({
  id: "schema/bound-in-prose",
  severity: "warning",
  summary: "A bound that a description states is in the schema, too.",
  why:
    "A bound in words is a request; a bound in the schema is checked before the handler runs, and the model is told " +
    "what to correct. Otherwise, a call beyond it fails inside the handler or the service, with whatever error they give.",
  messages: {
    unchecked: '"{name}" is bounded only by its description ("{words}"). Add "{keyword}: {bound}" to its schema.',
  },
  examples: {
    bad: [
      reporting("unchecked", "unchecked")`
        name: list_channels
        description: List channels.
        input:
          type: object
          properties:
            limit: { type: number, description: "Number of channels to return (default 100, max 200)" }
            topic: { type: string, description: At most 80 characters. }
      `,
    ],
    good: [
      spec`
        name: list_channels
        description: List channels.
        input:
          type: object
          properties:
            limit: { type: integer, maximum: 200, description: "Number of channels to return (max 200)" }
            depth: { type: integer, description: How many levels to follow at most. }
      `,
    ],
  },
  visitTool(tool, { report }) {
    return {
      parameter(parameter) {
        const found = findUnstatedBound(parameter);
        if (found === undefined) return;
        const location = tool.input.locate(parameter.pointer, "key");
        report("unchecked", { location }, { name: parameter.property, ...found });
      },
    };
  },
});
