import type { JsonObject, JsonValue } from "@hasp/schema";
import { findingPhases } from "../diagnostics/finding-ids.js";
import type { PluginDialect } from "../model/dialect.js";
import { isObject } from "../model/json.js";
import type { PluginPlan, RuleFacts } from "../model/plan.js";
import { RULE_GROUPS } from "../diagnostics/finding-ids.js";
import { compileFormat } from "../spec/own-schema.js";
import { configDiagnostics } from "../config/diagnostics.js";
import { OWN_NAMES } from "../typescript/layout.js";
import { dialectForm, findDialectFault, partName } from "./dialect-shape.js";

/** Stands for a function in the description of a plugin, which is plain data. */
export const FUNCTION = "\u0000function";

const text = (description: string): JsonObject => ({ description, type: "string", minLength: 1 });
const code: JsonObject = { const: FUNCTION, "x-expected": "a function" };
const part = (method: string): JsonObject => ({
  type: "array",
  items: {
    type: "object",
    required: ["name", method],
    additionalProperties: false,
    properties: { name: partName, [method]: code },
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
              id: partName,
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
        dialects: { type: "array", items: dialectForm },
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
  const { rules = [], dialects = [], emitters = [], importers = [], reporters = [] } = plugin;
  const names = (parts: readonly { readonly name: string }[]): readonly string[] => parts.map((each) => each.name);
  const ids = (parts: readonly { readonly id: string }[]): readonly string[] => parts.map(({ id }) => id);
  for (const added of [ids(rules), ids(dialects), names(emitters), names(importers), names(reporters)]) {
    const stranger = added.find((each) => !each.startsWith(`${plugin.name}/`));
    if (stranger !== undefined) return { problem: `"${stranger}" must begin with "${plugin.name}/".` };
    const twice = added.find((each, index) => added.indexOf(each) !== index);
    if (twice !== undefined) return { problem: `it adds "${twice}" twice.` };
  }
  for (const each of dialects) {
    const fault = findDialectFault(each);
    if (fault !== undefined) return { problem: `the dialect "${each.id}" ${fault}` };
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
    dialects,
    emitters: names(emitters),
    importers: names(importers),
    reporters: names(reporters),
  };
}

interface Described {
  readonly name: string;
  readonly rules?: readonly RuleFacts[];
  readonly dialects?: readonly PluginDialect[];
  readonly emitters?: readonly { readonly name: string }[];
  readonly importers?: readonly { readonly name: string }[];
  readonly reporters?: readonly { readonly name: string }[];
}
