import { yaml } from "../reading/example-spec.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

export const contextInIsolation: Rule = defineRule({
  id: "safety/context-in-isolation",
  severity: "error",
  summary: "A handler in a process of its own does not use the context.",
  why:
    "The context holds objects of the host's process: a database connection, a client, a user's session. They cannot be sent to another " +
    "process, so `execute` receives `undefined` there. The functions of the handler that decide about a call (`permit`, `custom` checks) run in the host and receive it.",
  messages: {
    "context-lost":
      '"handler.isolation" runs `execute` without a context, so it cannot use {names:list}. Remove "needs.context" and let `execute` create what it needs (from "needs.env", for example), or remove "handler.isolation".',
  },
  examples: {
    bad: [
      {
        spec: yaml`
          hasp: 1
          name: convert_image
          description: Convert an image.
          input: { type: object, required: [path], properties: { path: { type: string } } }
          needs: { context: [workspace] }
          handler: { isolation: { memoryMb: 512 } }
        `,
        reports: ["context-lost"],
      },
    ],
    good: [
      yaml`
        hasp: 1
        name: convert_image
        description: Convert an image.
        input: { type: object, required: [path], properties: { path: { type: string } } }
        needs: { env: [WORKSPACE] }
        handler: { isolation: { memoryMb: 512 } }
      `,
    ],
  },
  checkTool(tool, { report }) {
    const names = tool.spec.needs?.context ?? [];
    if (tool.spec.handler?.isolation === undefined || names.length === 0) return;
    report("context-lost", { location: tool.locate("/needs/context") }, { names });
  },
});
