import { yaml } from "../reading/example-spec.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

/** Phrases about a deprecated tool. Tools about deprecated things use others. */
const DEPRECATED =
  /(?:^|[.!?)\]]\s{1,3}|\n\s{0,3})(?:\W{0,3})?(?:DEPRECATED\b|[Dd]eprecated[:.,!]|(?:[Tt]his tool|[Tt]his function|[Ii]t) is (?:deprecated|obsolete|superseded)\b)/u;

export const deprecatedTool: Rule = defineRule({
  id: "description/deprecated-tool",
  severity: "warning",
  summary: "No offered tool calls itself deprecated.",
  why:
    "Models still choose a deprecated tool, and every request pays for it. If a tool was renamed or replaced, list its old name under " +
    "`aliases` of the new one: calls by that name still work, and the name costs no tokens.",
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
  checkTool(tool, { report }) {
    if (tool.metadata.visibility.shouldDefer || !DEPRECATED.test(tool.spec.description)) return;
    report("deprecated", { location: tool.locate("/description") }, { name: tool.name });
  },
});
