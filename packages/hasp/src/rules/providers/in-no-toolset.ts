import { toolsetMembers } from "../../model/toolset-members.js";
import { yaml } from "../reading/example-spec.js";
import { defineRule, type Rule } from "../rule.js";

export const inNoToolset: Rule = defineRule({
  id: "providers/in-no-toolset",
  group: "providers",
  // Some list a few tools in a toolset and offer all of them from the dispatcher's own list.
  severity: "off",
  summary: "Where toolsets are configured, every tool is in one of them.",
  why:
    "A tool that no toolset selects is in no list, so that no model is offered it: most often a new tool that nobody added, or a tag " +
    "that was misspelt. It is in the registry all the same.",
  messages: {
    unlisted:
      "No toolset selects this tool ({toolsets:quoted}), so it is in no provider's list. Add it, or a tag that one of them includes; if only programs call it, silence this.",
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
  check({ tools, plan: { toolsets } }, report) {
    for (const tool of tools) {
      if (toolsetMembers([tool], toolsets).some((toolset) => toolset.tools.length > 0)) continue;
      report("unlisted", { tool, location: tool.locate("/name") }, { toolsets: toolsets.map(({ name }) => name) });
    }
  },
});
