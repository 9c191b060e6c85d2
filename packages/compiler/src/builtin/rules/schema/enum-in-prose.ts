import { yaml } from "../reading/example-spec.js";
import { isEnumerated } from "../../../plugins/parameters.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

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
      {
        spec: yaml`
          hasp: 1
          name: list_exports
          description: List exports.
          input:
            type: object
            properties: { filterName: { type: string, description: "The field. Possible values are 'Bot', 'BotLocale', or 'CustomVocabulary'." } }
        `,
        reports: ["unlisted"],
      },
    ],
    good: [
      yaml`
        hasp: 1
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
