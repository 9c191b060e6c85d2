import type { FlatTool } from "../../model/tool.js";
import { yaml } from "../reading/example-spec.js";
import { nearestAround } from "../reading/parameters.js";
import { defineRule, type Rule } from "../rule.js";

/** Objects and lists inside each other, the root included. Some strict modes refuse more than five levels. */
const MOST_LEVELS = 5;

export const deepNesting: Rule = defineRule({
  id: "schema/deep-nesting",
  group: "schema",
  severity: "info",
  summary: `An input has at most ${MOST_LEVELS} levels of objects and lists.`,
  why:
    "Models make more mistakes the deeper they must nest, and some providers refuse schemas that are too deep. A handler " +
    "can put nested data together from flat parameters; a recursive filter is usually better as a few parameters for the common cases.",
  messages: {
    deep: "This value is {levels} levels deep. Flatten the input, or split the tool by its cases.",
  },
  examples: {
    bad: [
      {
        spec: yaml`
          hasp: 1
          name: search
          description: Search.
          input:
            type: object
            properties:
              stages:
                type: array
                items:
                  type: object
                  properties: { vector: { type: object, properties: { query: { type: array, items: { type: object, properties: { text: { type: string } } } } } } }
        `,
        reports: ["deep"],
      },
    ],
    good: [
      yaml`
        hasp: 1
        name: search
        description: Search.
        input:
          type: object
          properties: { stages: { type: array, items: { type: object, properties: { text: { type: string } } } } }
      `,
    ],
  },
  check({ tools }, report) {
    for (const tool of tools) {
      const deepest = deepestValue(tool);
      if (deepest.levels <= MOST_LEVELS) continue;
      report("deep", { tool, location: tool.input.locate(deepest.pointer) }, { levels: deepest.levels });
    }
  },
});

/** The first of the objects and lists that stand deepest. */
function deepestValue(tool: FlatTool): { readonly pointer: string; readonly levels: number } {
  const seen = new Map<string, { readonly levels: number; readonly nests: boolean }>();
  let deepest = { pointer: "", levels: 0 };
  // A schema comes before those inside it.
  for (const { schema, pointer } of tool.input.nodes) {
    const outer = nearestAround(pointer, seen)?.value;
    const nests = schema.properties !== undefined || schema.items !== undefined || schema.prefixItems !== undefined;
    // A branch describes the same value as the schema around it.
    const isSame = outer?.nests === true && /\/(?:(?:anyOf|oneOf|allOf)\/\d+|if|then|else|not)$/u.test(pointer);
    const levels = (outer?.levels ?? 0) + (nests && !isSame ? 1 : 0);
    seen.set(pointer, { levels, nests });
    if (levels > deepest.levels) deepest = { pointer, levels };
  }
  return deepest;
}
