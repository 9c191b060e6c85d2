import { yaml } from "../reading/example-spec.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

/** Characters. One provider refuses longer descriptions of tools. */
const MOST_OF_TOOL = 1024;
const MOST_OF_PARAMETER = 600;

export const longDescription: Rule = defineRule({
  id: "size/long-description",
  severity: "info",
  summary: `A tool's description has at most ${MOST_OF_TOOL} characters, a parameter's ${MOST_OF_PARAMETER}.`,
  why:
    "Every request carries every description. A long one pays for a manual that most calls do not need, and hides the sentence " +
    "that matters. Manuals belong in the answer of a tool that is asked for them, or in the message of a failed check.",
  messages: {
    long: "This description has {length} characters, more than {most}. Keep what a model needs to choose and to fill in; move the rest to where it is needed.",
  },
  examples: {
    bad: [
      {
        spec: `hasp: 1
name: think
description: Think. ${"Say what you think. ".repeat(60)}
input: { type: object, properties: { thought: { type: string, description: A thought. ${"Say what you think. ".repeat(40)}} } }
`,
        reports: ["long", "long"],
      },
    ],
    good: [
      yaml`
        hasp: 1
        name: think
        description: Write down the next step of a longer thought.
        input: { type: object, properties: { thought: { type: string, description: The next step. } } }
      `,
    ],
  },
  visitTool(tool, { report }) {
    const { length } = tool.spec.description;
    if (length > MOST_OF_TOOL) {
      report("long", { location: tool.locate("/description") }, { length, most: MOST_OF_TOOL });
    }
    return {
      parameter({ description, pointer }) {
        if (description.length <= MOST_OF_PARAMETER) return;
        const location = tool.input.locate(`${pointer}/description`);
        report("long", { location }, { length: description.length, most: MOST_OF_PARAMETER });
      },
    };
  },
});
