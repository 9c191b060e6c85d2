import { reporting, spec, defineRule, type Rule } from "@hasp/compiler/plugin";
import { locateHandlerFiles } from "@hasp/compiler/layout";
import type { FlatTool } from "@hasp/compiler";

const VAGUE_VERBS = new Set(
  "do run handle process manage perform execute exec call invoke use make work tool helper util utils misc".split(" "),
);
const VAGUE_NOUNS = new Set(
  "data info information item items thing things stuff object objects entity value values input output request action task job operation function tool helper util utils misc general generic common".split(
    " ",
  ),
);

export const vagueName: Rule = defineRule({
  id: "naming/vague-name",
  severity: "warning",
  summary: "A tool's name says what the tool does.",
  why:
    "The name is what a model recalls in the middle of its work, what a permission dialog shows, and what a rule allows or denies. " +
    "`process_data` could be anything.",
  messages: {
    vague: '"{name}" is vague. Name the action and its object, as in "resize_image".',
  },
  examples: {
    bad: [
      reporting("vague")`
        name: process_data
        description: Resize an image.
        input: { type: object, properties: {} }
      `,
    ],
    good: [
      spec`
        name: execute_sql
        description: Execute a statement.
        input: { type: object, properties: {} }
      `,
      spec`
        name: get_task
        description: Look a task up.
        input: { type: object, properties: {} }
      `,
    ],
  },
  checkTool(tool, { report }) {
    const words = tool.name
      .replaceAll(/([a-z0-9])([A-Z])/gu, "$1_$2")
      .toLowerCase()
      .split(/[_-]+/u);
    const isVague = words.every((word) => VAGUE_VERBS.has(word) || VAGUE_NOUNS.has(word)) && !isLiteralTask(words);
    if (isVague) report("vague", { location: tool.locate("/name") }, { name: tool.name });
  },
});

/** True if the noun is a thing in the tool's domain, as in `run_task` and `call_function`. */
function isLiteralTask(words: readonly string[]): boolean {
  const [verb = "", noun = ""] = words;
  return (
    words.length === 2 &&
    ["run", "execute", "call", "invoke"].includes(verb) &&
    ["task", "job", "function", "tool", "action"].includes(noun)
  );
}

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
      reporting("similar")`
        tools:
          - { name: get_user, description: One user., input: { type: object, properties: {} } }
          - { name: getUser, description: The same., input: { type: object, properties: {} } }
      `,
    ],
    good: [
      spec`
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
      (files ??= locateHandlerFiles(
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
