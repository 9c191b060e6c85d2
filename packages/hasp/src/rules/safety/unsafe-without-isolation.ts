import { yaml } from "../reading/example-spec.js";
import { programFieldsOf } from "../reading/program-fields.js";
import { defineRule, type Rule } from "../rule.js";

export const unsafeWithoutIsolation: Rule = defineRule({
  id: "safety/unsafe-without-isolation",
  group: "safety",
  severity: "info",
  summary: "A tool that runs a model's programs states how they are isolated.",
  why:
    "UNSAFE means that a call runs alone, not that it can do no harm. A command or script that a model writes has access to " +
    "everything in the host process, its environment and its open connections, unless the handler runs it elsewhere: in a child process " +
    "(`isolate` of @hasp/runtime/node), in a container, on another machine. hasp cannot see that from a spec, so it asks.",
  messages: {
    "not-isolated":
      '"{field}" runs with the full access of the host process, as far as this spec shows. Isolate the handler, and say how: # hasp-ignore safety/unsafe-without-isolation -- …',
  },
  examples: {
    bad: [
      {
        spec: yaml`
          hasp: 1
          name: run_shell
          description: Run one command.
          input: { type: object, required: [command], properties: { command: { type: string } } }
        `,
        reports: ["not-isolated"],
      },
    ],
    good: [
      yaml`
        hasp: 1
        # hasp-ignore safety/unsafe-without-isolation -- the handler runs it in a container without a network
        name: run_shell
        description: Run one command.
        input: { type: object, required: [command], properties: { command: { type: string } } }
      `,
      yaml`
        hasp: 1
        name: execute_sql
        description: Run one SQL statement.
        input: { type: object, required: [query], properties: { query: { type: string, contentMediaType: application/sql } } }
      `,
    ],
  },
  check({ tools }, report) {
    for (const tool of tools) {
      if (tool.worstCase.class !== "UNSAFE") continue;
      const field = programFieldsOf(tool, "likely").find(({ name }) =>
        /(?:command|cmd|script|shell|code|program)s?$/iu.test(name),
      );
      if (field !== undefined) report("not-isolated", { tool, location: tool.locate("/name") }, { field: field.name });
    }
  },
});
