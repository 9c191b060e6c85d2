import { keywordRow } from "@hasp/schema/vocabulary";
import { type SchemaNode, reporting, spec, defineRule, type Rule } from "@hasp/compiler/plugin";

/** Maximum number of optional parameters: a third of what Anthropic's strict mode takes in a whole request. */
const MOST_OPTIONAL = 8;

export const manyOptionalFields: Rule = defineRule({
  id: "schema/many-optional-fields",
  severity: "info",
  summary: `A tool has at most ${MOST_OPTIONAL} optional parameters in one object.`,
  why:
    "The model decides about each optional parameter in every call, and in strict modes it writes null for " +
    "each one that it does not use. Providers also limit their number per request. Two tools with fewer parameters are usually easier to use.",
  messages: {
    many: "{count} parameters of one object are optional; consider two tools, a union of the cases, or fewer parameters with defaults.",
  },
  examples: {
    bad: [
      reporting("many")`
        name: search
        description: Search.
        input:
          type: object
          properties:
            { a: { const: 1 }, b: { const: 1 }, c: { const: 1 }, d: { const: 1 }, e: { const: 1 }, f: { const: 1 }, g: { const: 1 },
              h: { const: 1 }, i: { const: 1 }, j: { const: 1 }, k: { const: 1 }, l: { const: 1 } }
      `,
    ],
    good: [
      spec`
        name: search
        description: Search.
        input:
          type: object
          properties:
            { a: { const: 1 }, b: { const: 1 }, c: { const: 1 }, d: { const: 1 }, e: { const: 1 }, f: { const: 1 }, g: { const: 1 },
              h: { const: 1 } }
      `,
    ],
  },
  checkTool(tool, { report }) {
    const { schema } = tool.input;
    if (typeof schema === "boolean") return;
    const required = new Set(schema.required);
    const count = Object.keys(schema.properties ?? {}).filter((name) => !required.has(name)).length;
    if (count > MOST_OPTIONAL) report("many", { location: tool.input.locate("/properties", "key") }, { count });
  },
});

/** Nested objects and lists, including the root. Some strict modes refuse more than five. */
const MOST_LEVELS = 5;

export const deepNesting: Rule = defineRule({
  id: "schema/deep-nesting",
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
      reporting("deep")`
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
    ],
    good: [
      spec`
        name: search
        description: Search.
        input:
          type: object
          properties: { stages: { type: array, items: { type: object, properties: { text: { type: string } } } } }
      `,
    ],
  },
  visitTool(tool, { report }) {
    const seen = new Map<SchemaNode, { readonly levels: number; readonly nests: boolean }>();
    let deepest = { pointer: "", levels: 0 };
    return {
      input(node) {
        const { schema, pointer, parent, keyword = "" } = node;
        const outer = parent && seen.get(parent);
        const nests = schema.properties !== undefined || schema.items !== undefined || schema.prefixItems !== undefined;
        const isSame = outer?.nests === true && isAboutSameValue(keyword);
        const levels = (outer?.levels ?? 0) + (nests && !isSame ? 1 : 0);
        seen.set(node, { levels, nests });
        if (levels > deepest.levels) deepest = { pointer, levels };
      },
      end() {
        if (deepest.levels <= MOST_LEVELS) return;
        report("deep", { location: tool.input.locate(deepest.pointer) }, { levels: deepest.levels });
      },
    };
  },
});

/** True for branches, conditions and negations, which describe the same value as the schema around them. */
function isAboutSameValue(keyword: string): boolean {
  const row = keywordRow(keyword);
  return row?.applies === "inPlace" || (row?.applies === "test" && row.types === undefined);
}
