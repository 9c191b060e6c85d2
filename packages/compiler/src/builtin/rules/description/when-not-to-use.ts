import { yaml } from "../reading/example-spec.js";
import { saysWhenNot } from "../reading/when-not.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

export const whenNotToUse: Rule = defineRule({
  id: "description/when-not-to-use",
  severity: "off",
  summary: "A description says when not to use the tool, and what to use instead.",
  why:
    "The tools of a project overlap. A model that only knows what each is for takes the first that fits. A sentence that says what a " +
    "tool is not for, and names the tool to use instead, prevents that.",
  messages: {
    "no-when-not":
      'Nothing tells a model when not to use "{name}"; add a sentence such as "Do not use it for …: use `other_tool`".',
  },
  examples: {
    bad: [
      {
        spec: yaml`
          hasp: 1
          name: get_user
          description: Returns the user record. Use it to find an address.
          input: { type: object, properties: {} }
        `,
        reports: ["no-when-not"],
      },
    ],
    good: [
      yaml`
        hasp: 1
        name: get_user
        description: Returns the user record. Do not use it to list users.
        input: { type: object, properties: {} }
      `,
    ],
  },
  checkTool(tool, { report }) {
    if (saysWhenNot(tool.spec.description)) return;
    report("no-when-not", { location: tool.locate("/description") }, { name: tool.name });
  },
});
