import type { FlatTool } from "../../../model/tool.js";
import { yaml } from "../reading/example-spec.js";
import type { Parameter } from "../../../plugins/parameters.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

/** Phrases by which another parameter makes this one required. */
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
      {
        spec: yaml`
          hasp: 1
          name: write_label
          description: Write a label.
          input:
            type: object
            required: [method]
            properties:
              method: { enum: [create, delete] }
              color: { type: string, description: "The color. Required for 'create'." }
        `,
        reports: ["unchecked"],
      },
    ],
    good: [
      yaml`
        hasp: 1
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

/** Collects the names and enumerated values of all parameters, in lower case. */
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

/** Collects parameters whose presence an expression, a function or the schema checks. */
function checkedNames(tool: FlatTool, parameters: readonly Parameter[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const check of tool.spec.validate ?? []) {
    // A custom function may check any of them.
    if ("custom" in check) for (const { property } of parameters) names.add(property);
    else for (const [word] of check.that.matchAll(/[\w$-]+/gu)) names.add(word);
  }
  for (const { schema, isConditional } of tool.input.nodes) {
    if (isConditional) for (const name of schema.required ?? []) names.add(name);
    for (const list of Object.values(schema.dependentRequired ?? {})) for (const name of list) names.add(name);
  }
  return names;
}
