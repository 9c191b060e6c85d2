import { suggestionsFor } from "../../../diagnostics/closest.js";
import { yaml } from "../reading/example-spec.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

export const unknownContextField: Rule = defineRule({
  id: "naming/unknown-context-field",
  severity: "error",
  summary: "`needs.context` names fields that the type of the context has.",
  why:
    "A call is refused while the context lacks a field that its tool needs. A misspelt field is never there, so the " +
    "tool could never run. The type is the one that `context` in the configuration names; hasp reports nothing if its " +
    "module does not list all of its members.",
  messages: {
    unknown: 'The type of the context has no field "{field}".{nearest:suggestion}',
  },
  examples: {
    bad: [
      {
        spec: yaml`
          hasp: 1
          name: find_order
          description: Find an order.
          input: { type: object, properties: {} }
          needs: { context: [databse, user] }
        `,
        reports: ["unknown"],
        plan: { contextMembers: ["database", "user"] },
      },
    ],
    good: [
      {
        spec: yaml`
          hasp: 1
          name: find_order
          description: Find an order.
          input: { type: object, properties: {} }
          needs: { context: [database] }
        `,
        plan: { contextMembers: ["database", "user"] },
      },
      yaml`
        hasp: 1
        name: find_order
        description: Find an order.
        input: { type: object, properties: {} }
        needs: { context: [databse] }
      `,
    ],
  },
  checkTool(tool, { plan: { contextMembers }, report }) {
    if (contextMembers === undefined) return;
    for (const [index, field] of (tool.spec.needs?.context ?? []).entries()) {
      // Only the first member of a path such as `user.id` is known.
      const [member = ""] = field.split(".");
      if (contextMembers.includes(member)) continue;
      const nearest = suggestionsFor(member, contextMembers);
      report("unknown", { location: tool.locate(`/needs/context/${index}`) }, { field, nearest });
    }
  },
});
