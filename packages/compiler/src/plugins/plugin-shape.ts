import type { JsonObject, JsonValue } from "@hasp/schema";
import { findingPhases } from "../diagnostics/finding-ids.js";
import { isObject } from "../model/json.js";
import type { PluginPlan, RuleFacts } from "../model/plan.js";
import { RULE_GROUPS } from "../diagnostics/finding-ids.js";
import { compileFormat } from "../spec/own-schema.js";
import { configDiagnostics } from "../config/diagnostics.js";
import { OWN_NAMES } from "../typescript/layout.js";

/** Stands for a function in the description of a plugin, which is plain data. */
export const FUNCTION = "\u0000function";

const text = (description: string): JsonObject => ({ description, type: "string", minLength: 1 });
const code: JsonObject = { const: FUNCTION, "x-expected": "a function" };
const name: JsonObject = {
  type: "string",
  pattern: "^[a-z][a-z0-9-]*/[a-z][a-z0-9-]*$",
  "x-expected": "a name that begins with the plugin's, such as acme/needs-owner",
};
const part = (method: string): JsonObject => ({
  type: "array",
  items: {
    type: "object",
    required: ["name", method],
    additionalProperties: false,
    properties: { name, [method]: code },
  },
});
const examples: JsonObject = {
  type: "array",
  items: {
    anyOf: [{ type: "string" }, { type: "object", required: ["spec"], properties: { spec: { type: "string" } } }],
  },
};

const pluginSchema: JsonObject = {
  $defs: {
    Plugin: {
      type: "object",
      required: ["name"],
      additionalProperties: false,
      properties: {
        name: {
          type: "string",
          pattern: "^[a-z][a-z0-9-]{0,63}$",
          "x-expected": "lower-case letters, digits and -, such as acme",
        },
        rules: {
          type: "array",
          items: {
            type: "object",
            required: ["id", "severity", "summary", "why", "messages", "examples"],
            additionalProperties: false,
            properties: {
              id: name,
              severity: { enum: ["error", "warning", "info", "off"] },
              summary: text("One sentence: what must be so."),
              why: text("What goes wrong otherwise."),
              messages: { type: "object", minProperties: 1, additionalProperties: { type: "string", minLength: 1 } },
              examples: {
                type: "object",
                required: ["bad", "good"],
                additionalProperties: false,
                properties: { bad: examples, good: examples },
              },
              checkTool: code,
              visitTool: code,
              readTool: code,
              checkProject: code,
            },
            anyOf: ["checkTool", "visitTool", "checkProject"].map((method) => ({ required: [method] })),
            "x-expected": "a rule with checkTool, visitTool or checkProject",
          },
        },
        emitters: part("emit"),
        importers: part("read"),
        reporters: part("print"),
      },
    },
  },
};

/** Reads the description of a plugin, or says what is wrong with it. */
export function readPluginShape(
  value: JsonValue,
): Omit<PluginPlan, "module" | "digest" | "location"> | { readonly problem: string } {
  if (!isObject(value)) return { problem: "its default export is no plugin: { name, rules, emitters, … }." };
  const [problem] = compileFormat(pluginSchema, "Plugin")(value);
  if (problem !== undefined) return { problem: configDiagnostics(problem.kind, undefined, problem.parameters).message };
  const plugin = value as unknown as Described;
  if (
    plugin.name === "hasp" ||
    findingPhases.has(plugin.name) ||
    [...RULE_GROUPS, ...OWN_NAMES].some((own) => own === plugin.name)
  ) {
    return { problem: `the name "${plugin.name}" belongs to hasp. Use the name of your company or team.` };
  }
  const { rules = [], emitters = [], importers = [], reporters = [] } = plugin;
  const names = (parts: readonly { readonly name: string }[]): readonly string[] => parts.map((each) => each.name);
  for (const added of [rules.map(({ id }) => id), names(emitters), names(importers), names(reporters)]) {
    const stranger = added.find((each) => !each.startsWith(`${plugin.name}/`));
    if (stranger !== undefined) return { problem: `"${stranger}" must begin with "${plugin.name}/".` };
    const twice = added.find((each, index) => added.indexOf(each) !== index);
    if (twice !== undefined) return { problem: `it adds "${twice}" twice.` };
  }
  return {
    name: plugin.name,
    rules: rules.map(({ id, severity, summary, why, examples: { bad, good } }) => ({
      id,
      severity,
      summary,
      why,
      examples: { bad: bad.map(({ spec }) => ({ spec })), good },
    })),
    emitters: names(emitters),
    importers: names(importers),
    reporters: names(reporters),
  };
}

interface Described {
  readonly name: string;
  readonly rules?: readonly RuleFacts[];
  readonly emitters?: readonly { readonly name: string }[];
  readonly importers?: readonly { readonly name: string }[];
  readonly reporters?: readonly { readonly name: string }[];
}
