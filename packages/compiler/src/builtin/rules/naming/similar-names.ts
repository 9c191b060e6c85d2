import { handlerFiles } from "../../../typescript/layout.js";
import type { FlatTool } from "../../../model/tool.js";
import { yaml } from "../reading/example-spec.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

export const similarNames: Rule = defineRule({
  id: "naming/similar-names",
  severity: "warning",
  summary: "No two tools have names that differ only in case, hyphens or underscores.",
  why:
    "A model that has seen `getUser` writes `get_user` sooner or later, and then another tool runs. Files of generated code that " +
    "differ only in case overwrite each other on some disks.",
  messages: {
    similar: '"{name}" and "{other}" are too similar. Rename one of them, or merge the two tools.',
  },
  examples: {
    bad: [
      {
        spec: yaml`
          hasp: 1
          tools:
            - { name: get_user, description: One user., input: { type: object, properties: {} } }
            - { name: getUser, description: The same., input: { type: object, properties: {} } }
        `,
        reports: ["similar"],
      },
    ],
    good: [
      yaml`
        hasp: 1
        tools:
          - { name: get_user, description: One user., input: { type: object, properties: {} } }
          - { name: list_users, description: All users., input: { type: object, properties: {} } }
          - { name: get_users, description: Some users., input: { type: object, properties: {} } }
      `,
    ],
  },
  checkProject({ tools }, { plan, report }) {
    let files: ReadonlyMap<string, string> | undefined;
    const fileOf = (tool: FlatTool): string | undefined =>
      (files ??= handlerFiles(
        tools.map(({ name }) => name),
        plan,
      )).get(tool.name);
    const expected = (tool: FlatTool): string => `The handler of "${tool.name}" is ${fileOf(tool)}`;
    const seen = new Map<string, FlatTool>();
    for (const tool of tools) {
      const plain = tool.name.toLowerCase().replaceAll(/[_-]/gu, "");
      const earlier = seen.get(plain);
      if (earlier === undefined) seen.set(plain, tool);
      else {
        const related = [{ location: earlier.locate("/name"), message: "the other one" }];
        const help = `${expected(earlier)}; ${expected(tool).replace("The", "the")}. A handler under any other name belongs to neither.`;
        report(
          "similar",
          { tool, location: tool.locate("/name"), help, related },
          { name: tool.name, other: earlier.name },
        );
      }
    }
  },
});
