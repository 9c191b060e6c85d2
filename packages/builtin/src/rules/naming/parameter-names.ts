import { reporting, spec, type SchemaNode, defineRule, type Rule, type Parameter } from "@hasp/compiler/plugin";

export const mixedCase: Rule = defineRule({
  id: "naming/mixed-case",
  severity: "info",
  summary: "The parameters of one object follow one naming style.",
  why:
    "A model that has just written `issue_number` writes `per_page` next, not `perPage`, and the call is refused for an unknown " +
    "parameter. A single naming style costs nothing and saves those turns.",
  messages: {
    mixed:
      '"{name}" is in {style}, and "{other}" beside it is in {otherStyle}. Use one style for all names of an object.',
  },
  examples: {
    bad: [
      reporting("mixed")`
        name: read_issue
        description: Read an issue.
        input: { type: object, properties: { issue_number: { type: integer }, perPage: { type: integer }, pageSize: { type: integer } } }
      `,
    ],
    good: [
      spec`
        name: read_issue
        description: Read an issue.
        input:
          type: object
          properties:
            issue_number: { type: integer }
            page: { type: integer }
            fields: { type: object, properties: { sortBy: { type: string } } }
      `,
    ],
  },
  visitTool(tool, { report }) {
    // One finding per object: the first name that departs from those before.
    const first = new Map<SchemaNode | undefined, { readonly property: string; readonly style: string }>();
    const reported = new Set<SchemaNode | undefined>();
    return {
      parameter({ property, pointer, parent }) {
        const style = findStyle(property);
        if (style === undefined) return;
        const other = first.get(parent);
        if (other === undefined) first.set(parent, { property, style });
        else if (other.style !== style && !reported.has(parent)) {
          reported.add(parent);
          const parameters = { name: property, style, other: other.property, otherStyle: other.style };
          report("mixed", { location: tool.input.locate(pointer, "key") }, parameters);
        }
      },
    };
  },
});

/** Returns how a name joins its words; `undefined` for a single word. */
function findStyle(name: string): string | undefined {
  if (!/^[a-z]\w*(?:-\w+)*$/iu.test(name)) return undefined;
  if (/[a-z\d]_[a-z\d]/iu.test(name)) return "snake_case";
  if (/[a-z\d]-[a-z\d]/iu.test(name)) return "kebab-case";
  return /^[a-z]+\d*[A-Z]/u.test(name) ? "camelCase" : undefined;
}

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
      reporting("short")`
        name: search_memory
        description: Search the memory.
        input: { type: object, properties: { query: { type: string }, k: { type: integer, description: The number of results. } } }
      `,
    ],
    good: [
      spec`
        name: click
        description: Click on a point.
        input: { type: object, properties: { x: { type: number }, y: { type: number } } }
      `,
      spec`
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
        const lettersBelow = new Map<string, number>();
        for (const { pointer } of letters) {
          for (let end = pointer.lastIndexOf("/"); end >= 0; end = pointer.lastIndexOf("/", end - 1)) {
            const holder = pointer.slice(0, end);
            lettersBelow.set(holder, (lettersBelow.get(holder) ?? 0) + 1);
            if (end === 0) break;
          }
        }
        for (const { property, pointer } of letters) {
          // Several letters together are the terms of a formula.
          const isTerm = (lettersBelow.get(pointer.slice(0, pointer.lastIndexOf("/"))) ?? 0) > 1;
          if (isTerm || CUSTOMARY.has(property.toLowerCase())) continue;
          report("short", { location: tool.input.locate(pointer, "key") }, { name: property });
        }
      },
    };
  },
});
