import { groupBy } from "../../model/group-by.js";
import type { FlatTool } from "../../model/tool.js";
import type { Location } from "../../diagnostics/diagnostic.js";
import { yaml } from "../reading/example-spec.js";
import { type Parameter, parametersOf } from "../reading/parameters.js";
import { defineRule, type Rule } from "../rule.js";

export const duplicate: Rule = defineRule({
  id: "description/duplicate",
  group: "description",
  scope: "project",
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
  check({ tools }, report) {
    for (const same of groupBy(tools, plainDescription).values()) {
      const [tool, ...others] = same;
      if (tool === undefined || others.length === 0) continue;
      const related = others.map((other) => ({ location: other.locate("/description"), message: other.name }));
      const location = tool.locate("/description");
      report("tools", { tool, location, related }, { names: same.map(({ name }) => name) });
    }
    for (const tool of tools) {
      for (const { first, second } of tool.facts.of("same descriptions", () => sameDescriptions(tool))) {
        const [other, own] = [first, second].map(({ pointer }) => tool.input.locate(`${pointer}/description`));
        // Two references to one definition: what they share is meant to be the same.
        if (other === undefined || own === undefined || isSamePlace(other, own)) continue;
        const related = [{ location: other, message: "the other one" }];
        const location = own;
        report("parameters", { tool, location, related }, { name: second.property, other: first.property });
      }
    }
  },
});

function isSamePlace(left: Location, right: Location): boolean {
  return left.uri === right.uri && left.range.start.offset === right.range.start.offset;
}

type Named = Pick<Parameter, "pointer" | "property">;

/** Parameters of one object that share a description. Plain data. */
function sameDescriptions(tool: FlatTool): readonly { readonly first: Named; readonly second: Named }[] {
  const seen = new Map<string, Named>();
  return parametersOf(tool).flatMap(({ pointer, property, description }) => {
    if (description === "") return [];
    const holder = pointer.slice(0, pointer.lastIndexOf("/"));
    const key = `${holder} ${plain(description)}`;
    const first = seen.get(key);
    const second = { pointer, property };
    if (first === undefined) seen.set(key, second);
    return first === undefined ? [] : [{ first, second }];
  });
}

function plainDescription({ facts, spec }: FlatTool): string {
  return facts.live("plain description", () => plain(spec.description));
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/\s+/gu, " ")
    .replace(/[\s.]+$/u, "");
}
