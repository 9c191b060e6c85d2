import { closed, ref, text } from "../model/field-schemas.js";
import type { JsonObject } from "@hasp/schema";

/** The format of policies as a JSON Schema. `schema/policy.schema.json` is generated from it for editors. */
export const policySchema: JsonObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "hasp policy",
  description: "Which calls of a toolset run, are asked about or are refused.",
  $ref: "#/$defs/Policy",
  $defs: {
    Policy: closed({
      required: ["hasp"],
      properties: {
        $schema: {
          description: "Location of this format's JSON Schema, for editors. In YAML, a comment can state it instead.",
          type: "string",
        },
        hasp: { description: "Version of the format.", const: 1 },
        description: text("What the policy is for, for its readers."),
        context: {
          description:
            "The fields of the context that conditions read, by name. They must be present in every call; generated code requires them of the context's type.",
          type: "object",
          propertyNames: { pattern: "^[A-Za-z_][A-Za-z0-9_]*$" },
          additionalProperties: { $ref: "#/$defs/Field" },
          examples: [{ plan: { enum: ["free", "team"] } }],
        },
        deny: {
          description:
            "Tools that are never listed and never run: names, aliases, or patterns in which `*` stands for any characters.",
          type: "array",
          items: { $ref: "#/$defs/ToolPattern" },
          examples: [["delete_*", "mcp__*"]],
        },
        rules: {
          description: "The first rule that matches a call votes on it. Patterns under `deny` come before all rules.",
          type: "array",
          items: { $ref: "#/$defs/Rule" },
        },
        mode: {
          description:
            "How much is decided without a person: `plan` runs only READ_ONLY calls; `ask` is the default; `accept-writes` runs calls that are neither destructive nor UNSAFE, and needs an approval; `unattended` asks nobody and refuses instead.",
          enum: ["plan", "ask", "accept-writes", "unattended"],
        },
        tests: {
          description: "Calls and what is expected of them. `hasp test` dispatches them.",
          type: "array",
          items: { $ref: "#/$defs/Test" },
        },
      },
    }),
    Rule: closed({
      required: ["tool", "decision"],
      properties: {
        tool: ref(
          "ToolPattern",
          "The tools that it matches: a name, or a pattern in which `*` stands for any characters.",
        ),
        server: text("The live MCP server whose tools it concerns; then `tool` is a name as that server gives it."),
        when: text(
          "A CEL condition over `context` and, where `tool` names one tool, over `input`. Without it, the rule matches every call. A condition that fails refuses the call.",
        ),
        decision: {
          description:
            "`allow` runs the call, `ask` puts it to a person, `deny` refuses it. `allow` needs an approval, and lets a destructive call run only if the rule names its tool.",
          enum: ["allow", "ask", "deny"],
        },
        flow: {
          description:
            "Lets its calls send private data outside unasked, even if a text that an outsider wrote may have made the model do it. Needs an approval, and `tool` must name a single tool.",
          enum: ["allow"],
        },
        reason: text("Why. The model reads it if the call is refused."),
      },
    }),
    Test: closed({
      required: ["tool", "input", "expect"],
      properties: {
        tool: text("The name of a tool of the toolset."),
        input: { description: "What the model sends.", examples: [{ query: "SELECT 1" }] },
        context: { description: "The fields of the context that the policy declares.", type: "object" },
        expect: {
          description: "Whether the call runs without a question, a person is asked, or it is refused.",
          enum: ["allow", "ask", "deny"],
        },
      },
    }),
    Field: closed({
      minProperties: 1,
      properties: {
        description: text("What the field holds."),
        type: { description: "The type of the field.", enum: ["string", "number", "integer", "boolean", "array"] },
        enum: ref("Values", "The only values that it has."),
        items: closed({
          description: "What each item of a list is.",
          minProperties: 1,
          properties: {
            type: { description: "The type of an item.", enum: ["string", "number", "integer", "boolean"] },
            enum: ref("Values", "The only values that an item has."),
          },
        }),
        maxItems: { description: "Bounds a loop over the list.", type: "integer", minimum: 0 },
      },
    }),
    Values: { type: "array", minItems: 1, items: { type: ["string", "number", "boolean"] } },
    ToolPattern: {
      type: "string",
      minLength: 1,
      pattern: "^[A-Za-z0-9_.*-]+$",
      "x-expected": "a tool's name or a pattern such as delete_*",
    },
  },
};
