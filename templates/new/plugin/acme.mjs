import { definePlugin, defineRule } from "hasp/plugin";

export default definePlugin({
  name: "acme",
  rules: [
    defineRule({
      id: "acme/needs-owner",
      severity: "error",
      summary: "Every tool names the team that owns it.",
      why: "When a tool fails at night, somebody must know whom to call.",
      messages: { missing: 'The tool "{tool}" has no owner. Add `owner:` with the name of a team.' },
      examples: {
        bad: [
          {
            spec: "hasp: 1\nname: find_order\ndescription: Find one order.\ninput: { type: object, properties: {} }\n",
            reports: ["missing"],
          },
        ],
        good: [
          "hasp: 1\nname: find_order\ndescription: Find one order.\nowner: team-shop\ninput: { type: object, properties: {} }\n",
        ],
      },
      checkTool(tool, { report }) {
        if (tool.spec.owner !== undefined) return;
        report("missing", { location: tool.locate("/name") }, { tool: tool.name });
      },
    }),
  ],
});
