import { groupBy } from "../../../model/group-by.js";
import type { SchemaNode } from "../../../model/schema-nodes.js";
import type { Location } from "../../../diagnostics/diagnostic.js";
import { yaml } from "../reading/example-spec.js";
import type { Parameter } from "../../../plugins/parameters.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

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
      {
        spec: yaml`
          hasp: 1
          tools:
            - { name: weather_from_google, description: Returns the temperature outside., input: { type: object, properties: {} } }
            - { name: weather_from_station, description: Returns the temperature outside., input: { type: object, properties: {} } }
        `,
        reports: ["tools"],
      },
      {
        spec: yaml`
          hasp: 1
          name: drag
          description: Drag one element onto another.
          input:
            type: object
            properties:
              startTarget: { type: string, description: Reference of the element }
              endTarget: { type: string, description: Reference of the element. }
        `,
        reports: ["parameters"],
      },
    ],
    good: [
      yaml`
        hasp: 1
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
        const beside = seen.get(parent) ?? new Map<string, Parameter>();
        seen.set(parent, beside);
        const first = beside.get(plain(description));
        if (first === undefined) {
          beside.set(plain(description), parameter);
          return;
        }
        const location = tool.input.locate(`${parameter.pointer}/description`);
        const other = tool.input.locate(`${first.pointer}/description`);
        // Two references to one definition share their text on purpose.
        if (isSamePlace(other, location)) return;
        const related = [{ location: other, message: "the other one" }];
        report("parameters", { location, related }, { name: property, other: first.property });
      },
    };
  },
});

function isSamePlace(left: Location, right: Location): boolean {
  return left.uri === right.uri && left.range.start.offset === right.range.start.offset;
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/\s+/gu, " ")
    .replace(/[\s.]+$/u, "");
}
