import { yaml } from "../reading/example-spec.js";
import type { Parameter } from "../../../plugins/parameters.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

/** Letters with a customary meaning: coordinates and sizes. */
const CUSTOMARY = new Set("x y z w h".split(" "));

export const oneLetterParameter: Rule = defineRule({
  id: "naming/one-letter-parameter",
  severity: "info",
  summary: "A parameter's name is a word.",
  why:
    "Models fill in parameters by name before they read descriptions. `k` may be a key, a count or a constant; `maxResults` is " +
    "only one of them. Operands (`a` and `b`) and coordinates are fine.",
  messages: {
    short: '"{name}" is a single letter. Name what it holds, as in "maxResults".',
  },
  examples: {
    bad: [
      {
        spec: yaml`
          hasp: 1
          name: search_memory
          description: Search the memory.
          input: { type: object, properties: { query: { type: string }, k: { type: integer, description: The number of results. } } }
        `,
        reports: ["short"],
      },
    ],
    good: [
      yaml`
        hasp: 1
        name: click
        description: Click on a point.
        input: { type: object, properties: { x: { type: number }, y: { type: number } } }
      `,
      yaml`
        hasp: 1
        name: divide
        description: Divide two numbers.
        input: { type: object, properties: { a: { type: number }, b: { type: number } } }
      `,
    ],
  },
  visitTool(tool, { report }) {
    const letters: Parameter[] = [];
    return {
      parameter(parameter) {
        if (/^[a-z]$/iu.test(parameter.property)) letters.push(parameter);
      },
      end() {
        for (const { property, pointer } of letters) {
          // Several letters together are the terms of a formula.
          const holder = pointer.slice(0, pointer.lastIndexOf("/") + 1);
          const isTerm = letters.some((other) => other.pointer !== pointer && other.pointer.startsWith(holder));
          if (isTerm || CUSTOMARY.has(property.toLowerCase())) continue;
          report("short", { location: tool.input.locate(pointer, "key") }, { name: property });
        }
      },
    };
  },
});
