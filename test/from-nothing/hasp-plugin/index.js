import { definePlugin, defineRule } from "hasp/plugin";

const TYPES = { string: "str", integer: "int", number: "float", boolean: "bool", array: "list", object: "dict" };

/** Writes the type of a schema as Python says it. */
function typeOf({ type }) {
  return TYPES[type] ?? "Any";
}

/** Writes the input of a tool as a TypedDict. */
function printInput({ name, input: { properties = {}, required = [] } }) {
  const fields = Object.entries(properties).map(([key, schema]) =>
    required.includes(key) ? `    ${key}: ${typeOf(schema)}` : `    ${key}: NotRequired[${typeOf(schema)}]`,
  );
  return [`class ${name}_input(TypedDict):`, ...(fields.length === 0 ? ["    pass"] : fields)].join("\n");
}

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
  dialects: [
    {
      id: "acme/chat",
      title: "Acme's chat API.",
      entry: { kind: "function", name: "$name", about: "$description", args: "$input" },
      keywords: { maxLength: "words", not: "refuse" },
    },
  ],
  handlerKinds: [
    {
      name: "acme/queue",
      summary: "Puts the input into a queue.",
      declaration: {
        type: "object",
        required: ["queue"],
        additionalProperties: false,
        properties: { queue: { type: "string", minLength: 1 } },
      },
      module: "@acme/hasp-plugin/queue",
      export: "sendToQueue",
    },
  ],
  emitters: [
    {
      name: "acme/python",
      emit: ({ tools }) => [
        {
          path: "tools.pyi",
          text: `from typing import Any, NotRequired, TypedDict\n\n${tools.map(printInput).join("\n\n")}\n`,
        },
      ],
    },
  ],
  importers: [
    {
      name: "acme/csv",
      read: ({ text }) =>
        text
          .trim()
          .split("\n")
          .map((line) => line.split(","))
          .map(([name, description]) => ({ name, description, inputSchema: { type: "object", properties: {} } })),
    },
  ],
  reporters: [
    {
      name: "acme/lines",
      print: ({ diagnostics }) => diagnostics.map(({ code, uri, line }) => `${code} ${uri}:${line}\n`).join(""),
    },
  ],
});
