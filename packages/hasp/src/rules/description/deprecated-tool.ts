import { yaml } from "../reading/example-spec.js";
import { defineRule, type Rule } from "../rule.js";

/** How descriptions say so; a tool that deals with what is deprecated says it otherwise. */
const DEPRECATED =
  /(?:^|[.!?)\]]\s{1,3}|\n\s{0,3})(?:\W{0,3})?(?:DEPRECATED\b|[Dd]eprecated[:.,!]|(?:[Tt]his tool|[Tt]his function|[Ii]t) is (?:deprecated|obsolete|superseded)\b)/u;

export const deprecatedTool: Rule = defineRule({
  id: "description/deprecated-tool",
  group: "description",
  severity: "warning",
  summary: "No tool is offered that calls itself deprecated.",
  why:
    "A model still chooses a deprecated tool, and every request pays for it. hasp has a better way for a tool that was renamed or replaced: " +
    "`aliases` of the new one answer to the old name without being listed.",
  messages: {
    deprecated:
      '"{name}" calls itself deprecated. Remove it and add its name to the "aliases" of the tool that replaces it, or defer it.',
  },
  examples: {
    bad: [
      {
        spec: yaml`
          hasp: 1
          name: read_file
          description: "Read a file as text. DEPRECATED: use read_text_file instead."
          input: { type: object, properties: {} }
        `,
        reports: ["deprecated"],
      },
    ],
    good: [
      yaml`
        hasp: 1
        name: list_apis
        description: List the APIs of a project. Deprecated ones come last.
        input: { type: object, properties: {} }
      `,
      yaml`
        hasp: 1
        name: read_file
        description: "Deprecated: use another tool."
        searchHint: file
        input: { type: object, properties: {} }
        visibility: { shouldDefer: true }
      `,
    ],
  },
  check({ tools }, report) {
    for (const tool of tools) {
      if (tool.metadata.visibility.shouldDefer || !DEPRECATED.test(tool.spec.description)) continue;
      report("deprecated", { tool, location: tool.locate("/description") }, { name: tool.name });
    }
  },
});
