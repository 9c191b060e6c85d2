import { closed, text } from "../model/field-schemas.js";
import { createValidator, type JsonObject, type JsonValue } from "@hasp/schema";
import { findingPhases, RULE_GROUPS } from "../model/finding-ids.js";
import { findDialectFaults, SAMPLED_KEYWORDS } from "@hasp/schema/internal/proof";
import { resolveDialect, type PluginDialect } from "../model/dialect.js";
import type { PluginHandlerKind } from "../model/handlers.js";
import { isObject } from "@hasp/base/json";
import type { Client, PluginPlan, RuleFacts } from "../model/plan.js";
import { printFormatProblem } from "../spec/format-problems.js";
import { createFormatCheck } from "../spec/own-schema.js";
import { printThrown } from "@hasp/base/diagnostics";
import { OWN_NAMES } from "../typescript/layout.js";
import { clientForm, findClientProblem } from "./client-shape.js";
import { dialectForm, findDialectFault, partName } from "./dialect-shape.js";
import { FUNCTION } from "./function-mark.js";

const code: JsonObject = { const: FUNCTION, "x-expected": "a function" };
const part = (method: string): JsonObject => ({
  type: "array",
  items: closed({
    required: ["name", method],
    properties: { name: partName, [method]: code },
  }),
});
/** The name of a package, which is neither a path nor an address: generated code imports packages only. */
const packageName: JsonObject = {
  type: "string",
  pattern: "^(?:@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*(?:/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*$",
  "x-expected": "the name of a package, such as @acme/queue",
};
const exportName: JsonObject = {
  type: "string",
  pattern: "^[A-Za-z_$][A-Za-z0-9_$]*$",
  "x-expected": "the name of an export, such as sendToQueue",
};
const handlerKind: JsonObject = closed({
  required: ["name", "summary", "declaration", "module", "export"],
  properties: {
    name: partName,
    summary: text("One sentence: what a handler of this kind does."),
    declaration: { description: "The JSON Schema of a declaration.", type: "object" },
    module: packageName,
    export: exportName,
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
    Plugin: closed({
      required: ["name"],
      properties: {
        name: {
          type: "string",
          pattern: "^[a-z][a-z0-9-]{0,63}$",
          "x-expected": "lower-case letters, digits and -, such as acme",
        },
        rules: {
          type: "array",
          items: closed({
            required: ["id", "severity", "summary", "why", "messages", "examples"],
            properties: {
              id: partName,
              severity: { enum: ["error", "warning", "info", "off"] },
              summary: text("One sentence: what must be so."),
              why: text("What goes wrong otherwise."),
              messages: { type: "object", minProperties: 1, additionalProperties: { type: "string", minLength: 1 } },
              examples: closed({
                required: ["bad", "good"],
                properties: { bad: examples, good: examples },
              }),
              checkTool: code,
              visitTool: code,
              readTool: code,
              checkProject: code,
            },
            anyOf: ["checkTool", "visitTool", "checkProject"].map((method) => ({ required: [method] })),
            "x-expected": "a rule with checkTool, visitTool or checkProject",
          }),
        },
        dialects: { type: "array", items: dialectForm },
        clients: { type: "array", items: clientForm },
        handlerKinds: { type: "array", items: handlerKind },
        emitters: part("emit"),
        importers: part("read"),
        reporters: part("print"),
      },
    }),
  },
};

/** Reads the description of a plugin, or names its fault. */
export function readPluginShape(
  value: JsonValue,
): Omit<PluginPlan, "module" | "digest" | "location"> | { readonly problem: string } {
  if (!isObject(value)) return { problem: "its default export is no plugin: { name, rules, emitters, … }." };
  const problems = createFormatCheck(pluginSchema, "Plugin")(value);
  if (problems.length > 0) return { problem: problems.slice(0, 5).map(printFormatProblem).join(" ") };
  const plugin = value as unknown as Described;
  if (
    plugin.name === "hasp" ||
    findingPhases.has(plugin.name) ||
    [...RULE_GROUPS, ...OWN_NAMES].some((own) => own === plugin.name)
  ) {
    return { problem: `the name "${plugin.name}" belongs to hasp. Use the name of your company or team.` };
  }
  const { rules = [], dialects = [], clients = [], handlerKinds = [] } = plugin;
  const { emitters = [], importers = [], reporters = [] } = plugin;
  const names = (parts: readonly { readonly name: string }[]): readonly string[] => parts.map((each) => each.name);
  const ids = (parts: readonly { readonly id: string }[]): readonly string[] => parts.map(({ id }) => id);
  const named = [handlerKinds, emitters, importers, reporters].map(names);
  for (const added of [ids(rules), ids(dialects), ids(clients), ...named]) {
    const stranger = added.find((each) => !each.startsWith(`${plugin.name}/`));
    if (stranger !== undefined) return { problem: `"${stranger}" must begin with "${plugin.name}/".` };
    const twice = added.find((each, index) => added.indexOf(each) !== index);
    if (twice !== undefined) return { problem: `it adds "${twice}" twice.` };
  }
  for (const each of dialects) {
    const fault = findDialectFault(each);
    if (fault !== undefined) return { problem: `the dialect "${each.id}" ${fault}` };
    const facts = resolveDialect({ id: each.id, foreign: each });
    const [lost] = SAMPLED_KEYWORDS.flatMap((keyword) => findDialectFaults(facts, keyword));
    if (lost !== undefined) return { problem: `the dialect "${each.id}" cannot carry ${lost}.` };
  }
  for (const each of clients) {
    const fault = findClientProblem(each);
    if (fault !== undefined) return { problem: `the client "${each.id}" ${fault}` };
  }
  for (const each of handlerKinds) {
    const fault = findKindFault(each);
    if (fault !== undefined) return { problem: `the handler kind "${each.name}" ${fault}` };
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
    clients,
    handlerKinds,
    emitters: names(emitters),
    importers: names(importers),
    reporters: names(reporters),
  };
}

function findKindFault({ declaration, module }: PluginHandlerKind): string | undefined {
  if (/^(?:@hasp\/|hasp(?:\/|$))/u.test(module)) return `imports "${module}", which is hasp's.`;
  if (declaration["type"] !== "object") return "has a declaration without `type: object`.";
  try {
    createValidator(declaration);
    return undefined;
  } catch (error) {
    return `has a declaration that is no schema: ${printThrown(error)}.`;
  }
}

interface Described {
  readonly name: string;
  readonly rules?: readonly RuleFacts[];
  readonly dialects?: readonly PluginDialect[];
  readonly clients?: readonly Client[];
  readonly handlerKinds?: readonly PluginHandlerKind[];
  readonly emitters?: readonly { readonly name: string }[];
  readonly importers?: readonly { readonly name: string }[];
  readonly reporters?: readonly { readonly name: string }[];
}
