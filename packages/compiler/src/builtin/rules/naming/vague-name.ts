import { yaml } from "../reading/example-spec.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

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
      {
        spec: yaml`
          hasp: 1
          name: process_data
          description: Resize an image.
          input: { type: object, properties: {} }
        `,
        reports: ["vague"],
      },
    ],
    good: [
      yaml`
        hasp: 1
        name: execute_sql
        description: Execute a statement.
        input: { type: object, properties: {} }
      `,
      yaml`
        hasp: 1
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

/** True if `run_task` or `call_function` names something in the tool's world: jobs, tasks, functions. */
function isLiteralTask(words: readonly string[]): boolean {
  const [verb = "", noun = ""] = words;
  return (
    words.length === 2 &&
    ["run", "execute", "call", "invoke"].includes(verb) &&
    ["task", "job", "function", "tool", "action"].includes(noun)
  );
}
