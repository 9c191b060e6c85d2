import { findOrAdd, groupBy } from "@hasp/base/json";
import { type SchemaNode, reporting, spec, type Parameter, defineRule, type Rule } from "@hasp/compiler/plugin";

export const duplicate: Rule = defineRule({
  id: "description/duplicate",
  severity: "warning",
  summary: "No two tools, and no two parameters of one object, have the same description.",
  why: "Models choose by descriptions. Where two of them are the same, the choice is a guess; usually one was copied and never adapted.",
  messages: {
    tools: "The tools {names:quoted} have the same description. Say how they differ, or merge them.",
    parameters: '"{name}" and "{other}" have the same description. Say how they differ.',
  },
  examples: {
    bad: [
      reporting("tools")`
        tools:
          - { name: weather_from_google, description: Returns the temperature outside., input: { type: object, properties: {} } }
          - { name: weather_from_station, description: Returns the temperature outside., input: { type: object, properties: {} } }
      `,
      reporting("parameters")`
        name: drag
        description: Drag one element onto another.
        input:
          type: object
          properties:
            startTarget: { type: string, description: Reference of the element }
            endTarget: { type: string, description: Reference of the element. }
      `,
    ],
    good: [
      spec`
        name: drag
        description: Drag one element onto another.
        input:
          type: object
          properties:
            start: { type: string, description: Reference of the element to drag. }
            end: { type: string, description: Reference of the element to drop it on. }
            options: { type: object, properties: { start: { type: string, description: Reference of the element to drag. } } }
      `,
    ],
  },
  checkProject({ tools }, { report }) {
    for (const same of groupBy(tools, ({ spec }) => plain(spec.description)).values()) {
      const [tool, ...others] = same;
      if (tool === undefined || others.length === 0) continue;
      const related = others.map((other) => ({ location: other.locate("/description"), message: other.name }));
      const location = tool.locate("/description");
      report("tools", { tool, location, related }, { names: same.map(({ name }) => name) });
    }
  },
  visitTool(tool, { report }) {
    const seen = new Map<SchemaNode | undefined, Map<string, Parameter>>();
    return {
      parameter(parameter) {
        const { parent, description, property } = parameter;
        if (description === "") return;
        const beside = findOrAdd(seen, parent, () => new Map<string, Parameter>());
        const text = plain(description);
        const first = beside.get(text);
        if (first === undefined) {
          beside.set(text, parameter);
          return;
        }
        const location = tool.input.locate(`${parameter.pointer}/description`);
        const other = tool.input.locate(`${first.pointer}/description`);
        // Two references to one definition share their text on purpose.
        if (other.uri === location.uri && other.range.start.offset === location.range.start.offset) return;
        const related = [{ location: other, message: "the other one" }];
        report("parameters", { location, related }, { name: property, other: first.property });
      },
    };
  },
});

function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/\s{2,}|[^\S ]/gu, " ")
    .replace(/(?<![\s.])[\s.]+$/u, "");
}

export const repeatsName: Rule = defineRule({
  id: "description/repeats-name",
  severity: "info",
  summary: "A description says more than the name it describes.",
  why:
    "`issue_number: The issue number` costs tokens in every request and tells a model nothing: not whose number, where it comes " +
    "from, or what it looks like.",
  messages: {
    repeats:
      'This description only repeats the name "{name}". Say what the name does not: which one, where it comes from, its form.',
  },
  examples: {
    bad: [
      reporting("repeats", "repeats")`
        name: close_page
        description: Close page.
        input: { type: object, properties: { issue_number: { type: integer, description: The issue number } } }
      `,
    ],
    good: [
      spec`
        name: close_page
        description: Close the current page of the browser.
        input: { type: object, properties: { issue_number: { type: integer, description: "Number of the issue, without #." } } }
      `,
    ],
  },
  visitTool(tool, { report }) {
    if (isSame(tool.spec.description, tool.name)) {
      report("repeats", { location: tool.locate("/description") }, { name: tool.name });
    }
    return {
      parameter({ property, description, pointer }) {
        if (!isSame(description, property)) return;
        report("repeats", { location: tool.input.locate(`${pointer}/description`) }, { name: property });
      },
    };
  },
});

function isSame(text: string, name: string): boolean {
  return text !== "" && keepLetters(text.replaceAll(/\b(?:the|an?)\b/giu, "")) === keepLetters(name);
}

function keepLetters(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}
