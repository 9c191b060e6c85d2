import { FAIL_CLOSED_DEFAULTS } from "@hasp/runtime/contract";
import type { SchemaObject } from "@hasp/schema";
import { reporting, spec, defineRule, type Rule } from "@hasp/compiler/plugin";
import { findUnstatedBound } from "../reading/stated-bounds.js";

const GROWING =
  /(?:^|_)(?:search|list|logs?|download|export|dump|scan|grep|browse|snapshot|history|contents?|tree|execute|run)(?:_|$)/u;
/** Verbs of tools that answer with what they did, although named after a list, a log or a tree. */
const SHORT_ANSWER =
  /(?:^|_)(?:add|append|cancel|clear|create|delete|disable|enable|insert|move|remove|rename|set|start|stop|trigger|update|upload|verify|write)(?:_|$)/u;
const BOUNDING =
  /^(?:limit|first|last|top|count|(?:per_?page|page_?size|batch_?size)|(?:max|num|number|maximum)(?:_?(?:of|results?|items?|rows?|lines?|length|chars|bytes|tokens|count|size|depth))+|head|tail)$/u;

export const undeclaredResultSize: Rule = defineRule({
  id: "size/undeclared-result-size",
  severity: "info",
  summary: "A tool with long results states how much of them a model sees.",
  why:
    "Results stay in the conversation and are paid for again with every turn. The default allows a hundred thousand characters, " +
    "about a fifth of a model's context window. The author of the tool knows a better limit.",
  messages: {
    undeclared: "Results may grow to the default of {limit} characters; state limits.maxResultSizeChars for this tool.",
  },
  examples: {
    bad: [
      reporting("undeclared")`
        name: list_logs
        description: List log lines.
        input: { type: object, properties: {} }
      `,
    ],
    good: [
      spec`
        name: list_logs
        description: List log lines.
        input: { type: object, properties: {} }
        limits: { maxResultSizeChars: 20000 }
      `,
      spec`
        name: search_logs
        description: Search log lines.
        input: { type: object, properties: { pageSize: { type: integer, description: Lines to return. } } }
      `,
      spec`
        name: create_allow_list
        description: Create a list.
        input: { type: object, properties: {} }
      `,
      spec`
        name: list_probes
        description: The probe.
        input: { type: object, properties: {} }
        output: { type: object, required: [celsius], properties: { celsius: { type: number } } }
      `,
    ],
  },
  visitTool(tool, { report }) {
    if (tool.stated.has("limits.maxResultSizeChars")) return {};
    const words = splitWords(tool.name).replaceAll("-", "_");
    if (!GROWING.test(words) || SHORT_ANSWER.test(words)) return {};
    let isBounded = false;
    let isSmall = typeof tool.output?.schema === "object";
    return {
      parameter({ property }) {
        isBounded ||= BOUNDING.test(splitWords(property));
      },
      output({ schema }) {
        isSmall &&= holdsLittle(schema);
      },
      end() {
        if (isBounded || isSmall) return;
        const limit = String(FAIL_CLOSED_DEFAULTS.limits.maxResultSizeChars).replace(/(\d{3})$/u, " $1");
        report("undeclared", { location: tool.locate("/name") }, { limit });
      },
    };
  },
});

function splitWords(name: string): string {
  return name.replaceAll(/([a-z0-9])([A-Z])/gu, "$1_$2").toLowerCase();
}

/** True if a schema has no long list, no map and no unbounded string. */
function holdsLittle(schema: SchemaObject): boolean {
  const types = schema.type === undefined ? [] : [schema.type].flat();
  const isWrittenOut = schema.enum !== undefined || Object.hasOwn(schema, "const");
  if (types.length === 0 && !isWrittenOut) return false;
  if (types.includes("array") && (schema.maxItems ?? Infinity) > 20) return false;
  const isBoundedText =
    schema.enum !== undefined || schema.format !== undefined || (schema.maxLength ?? Infinity) <= 2000;
  if (types.includes("string") && !isBoundedText) return false;
  return !types.includes("object") || schema.properties !== undefined;
}

const AMOUNT =
  /^(?:limit|top_?k|per_?page|page_?size|batch_?size|max_?results?|max_?items|max_?rows|num_?results|result_?count)$/u;

export const unboundedLimit: Rule = defineRule({
  id: "size/unbounded-limit",
  severity: "info",
  summary: "A parameter that says how many results are wanted has a maximum.",
  why:
    "A model that wants to be thorough asks for 100000 rows. The result is cut off at the limit for results or fills the context, and the " +
    "service behind the tool does the work anyway.",
  messages: {
    unbounded: '"{name}" has no maximum. Add the largest number that this tool should return as "maximum".',
  },
  examples: {
    bad: [
      reporting("unbounded")`
        name: get_tickets
        description: Get tickets.
        input: { type: object, properties: { limit: { type: integer, description: How many tickets to return. } } }
      `,
    ],
    good: [
      spec`
        name: get_tickets
        description: Get tickets.
        input:
          type: object
          properties: { limit: { type: integer, maximum: 100, description: How many. }, creditLimit: { type: integer, description: In euros. } }
      `,
    ],
  },
  visitTool(tool, { report }) {
    return {
      parameter(parameter) {
        const { schema, types, property, pointer } = parameter;
        const name = property.replaceAll(/([a-z])([A-Z])/gu, "$1_$2").toLowerCase();
        if (!AMOUNT.test(name) || !(types.has("integer") || types.has("number")) || types.size > 1) return;
        if ([schema.maximum, schema.exclusiveMaximum, schema.enum, schema.const].some((each) => each !== undefined)) {
          return;
        }
        // A bound in prose has its own finding.
        if (findUnstatedBound(parameter) !== undefined) return;
        report("unbounded", { location: tool.input.locate(pointer, "key") }, { name: property });
      },
    };
  },
});
