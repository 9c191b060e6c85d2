import { toolsetMembers } from "../../../model/toolset-members.js";
import { yaml } from "../reading/example-spec.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

export const inNoToolset: Rule = defineRule({
  id: "providers/in-no-toolset",
  // Some projects list a few tools in a toolset and offer all from the dispatcher.
  severity: "off",
  summary: "If toolsets are configured, every tool is in one of them.",
  why:
    "A tool that no toolset selects is offered to no model. Usually the tool is new and was not added, or a tag " +
    "is misspelt. The tool is still in the registry.",
  messages: {
    unlisted:
      "No toolset selects this tool ({toolsets:quoted}), so it is in no provider's list. Add the tool or one of its tags to a toolset. If only programs call it, suppress this finding.",
  },
  examples: {
    bad: [
      {
        spec: yaml`
          hasp: 1
          name: archive_order
          description: Archive an order.
          tags: [writting]
          input: { type: object, properties: {} }
        `,
        reports: ["unlisted"],
        plan: { toolsets: [{ name: "writers", include: [{ tag: "writing" }], exclude: [] }] },
      },
    ],
    good: [
      {
        spec: yaml`
          hasp: 1
          name: archive_order
          description: Archive an order.
          tags: [writing]
          input: { type: object, properties: {} }
        `,
        plan: { toolsets: [{ name: "writers", include: [{ tag: "writing" }], exclude: [] }] },
      },
      yaml`
        hasp: 1
        name: archive_order
        description: Archive an order. Without configured toolsets one list holds every tool.
        input: { type: object, properties: {} }
      `,
    ],
  },
  checkTool(tool, { plan: { toolsets }, report }) {
    if (toolsetMembers([tool], toolsets).some((toolset) => toolset.tools.length > 0)) return;
    report("unlisted", { location: tool.locate("/name") }, { toolsets: toolsets.map(({ name }) => name) });
  },
});
