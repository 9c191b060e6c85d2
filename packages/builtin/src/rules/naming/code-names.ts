import { findSuggestions } from "@hasp/base/diagnostics";
import { reporting, spec, defineRule, type Rule } from "@hasp/compiler/plugin";
import { nameGate } from "../../emitters/base/module-text.js";
import { groupBy } from "@hasp/base/json";

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
        spec: spec`
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
        spec: spec`
          name: find_order
          description: Find an order.
          input: { type: object, properties: {} }
          needs: { context: [database] }
        `,
        plan: { contextMembers: ["database", "user"] },
      },
      spec`
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
      const nearest = findSuggestions(member, contextMembers);
      report("unknown", { location: tool.locate(`/needs/context/${index}`) }, { field, nearest });
    }
  },
});

export const sharedGateConstant: Rule = defineRule({
  id: "naming/shared-gate-constant",
  severity: "error",
  summary: "No two feature gates have the same constant in generated code.",
  why:
    "A bundler closes a gate by defining a constant that is named after it, in capitals, with an underscore for every other " +
    "character. Gates such as `a-b` and `a_b` would share a constant, and closing one would drop the tools of the other.",
  messages: {
    shared: 'The feature gates "{gate}" and "{other}" have the same constant, {constant}. Rename one of them.',
  },
  examples: {
    bad: [
      reporting("shared", "shared")`
        tools:
          - { name: draw_chart, description: Draw one., input: { type: object, properties: {} }, visibility: { featureGate: new-charts } }
          - { name: draw_map, description: Draw one., input: { type: object, properties: {} }, visibility: { featureGate: new_charts } }
          - { name: draw_plan, description: Draw one., input: { type: object, properties: {} }, visibility: { featureGate: NEW_CHARTS } }
      `,
    ],
    good: [
      spec`
        tools:
          - { name: draw_chart, description: Draw one., input: { type: object, properties: {} }, visibility: { featureGate: new-charts } }
          - { name: draw_map, description: Draw one., input: { type: object, properties: {} }, visibility: { featureGate: new-charts } }
          - { name: draw_plan, description: Draw one., input: { type: object, properties: {} }, visibility: { featureGate: constructor } }
          - { name: draw_line, description: Draw one., input: { type: object, properties: {} }, visibility: { featureGate: __proto__ } }
      `,
    ],
  },
  checkProject({ tools }, { report }) {
    const gated = tools.flatMap((tool) => {
      const gate = tool.spec.visibility?.featureGate;
      return gate === undefined ? [] : [{ tool, gate, location: tool.locate("/visibility/featureGate") }];
    });
    for (const [constant, users] of groupBy(gated, ({ gate }) => nameGate(gate))) {
      const [first, ...others] = [...groupBy(users, ({ gate }) => gate).values()].flatMap(([user]) => user ?? []);
      if (first === undefined) continue;
      for (const { tool, gate, location } of others) {
        const related = [{ location: first.location, message: "the other one" }];
        report("shared", { tool, location, related }, { gate, other: first.gate, constant });
      }
    }
  },
});
