import { yaml } from "../reading/example-spec.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

export const permissionWithoutEffect: Rule = defineRule({
  id: "safety/permission-without-effect",
  severity: "warning",
  summary: "A tool claims `requiresPermission: false` only if some call is not destructive.",
  why:
    "A destructive call runs only when somebody allows it, whatever the tool says about permission. If every call is " +
    "destructive, the claim only misleads, and it would take effect unnoticed when the other flag changes.",
  messages: {
    "no-effect":
      "Every call of this tool is destructive, so the user is asked anyway. Remove the claim, or state that the tool is not destructive.",
  },
  examples: {
    bad: [
      {
        spec: yaml`
          hasp: 1
          name: send_message
          description: Send.
          input: { type: object, properties: {} }
          behavior: { requiresPermission: false }
        `,
        reports: ["no-effect"],
      },
    ],
    good: [
      yaml`
        hasp: 1
        name: add_note
        description: Add.
        input: { type: object, properties: {} }
        behavior: { requiresPermission: false, isDestructive: false }
      `,
      yaml`
        hasp: 1
        name: call_api
        description: Call an API.
        input: { type: object, required: [method], properties: { method: { enum: [GET, POST] } } }
        concurrency: { rules: [{ when: "input.method == 'GET'", class: READ_ONLY }] }
        behavior: { requiresPermission: false }
      `,
    ],
  },
  checkTool(tool, { report }) {
    const { requiresPermission, isDestructive } = tool.metadata.behavior;
    if (requiresPermission || !isDestructive) return;
    const isSometimesMild =
      tool.rules.some((rule) => rule.isDestructive === false) ||
      tool.flags.some(({ flag }) => flag === "isDestructive");
    if (!isSometimesMild) report("no-effect", { location: tool.locate("/behavior/requiresPermission") });
  },
});
