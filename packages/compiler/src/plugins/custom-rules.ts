import type { JsonValue } from "@hasp/schema";
import { linearPattern, type LinearPattern } from "@hasp/schema/vocabulary";
import { isList, escapeToken, readOwnMember } from "@hasp/base/json";
import type { CompilePlan, CustomRule, RuleFacts } from "../model/plan.js";
import { defineRule, type Rule } from "./rule.js";

export function createCustomRules({ customRules = {} }: Pick<CompilePlan, "customRules">): readonly Rule[] {
  return Object.entries(customRules).map(([id, declared]) => createCustomRule(id, declared));
}

function createCustomRule(id: string, declared: CustomRule): Rule {
  const { on, severity = "error", message, why = message } = declared;
  const keeps = createFieldCheck(declared);
  const path = declared.field.split(".");
  const pointer = path.map((key) => `/${escapeToken(key)}`).join("");
  const read = (value: unknown): unknown => path.reduce(readOwnMember, value);
  return defineRule({
    id,
    severity,
    summary: message,
    why,
    messages: { broken: "{message}" },
    examples: { bad: [], good: [] },
    visitTool(tool, { report }) {
      const check = (value: unknown, locate: (pointer: string) => Parameters<typeof report>[1]["location"]): void => {
        const found = read(value);
        if (!keeps(found)) report("broken", { location: locate(found === undefined ? "" : pointer) }, { message });
      };
      if (on === "spec") {
        check(tool.spec, (at) => tool.locate(at === "" ? "/name" : at));
        return {};
      }
      if (on === "parameter") {
        return {
          parameter: ({ property, schema, pointer: place }) =>
            check(path[0] === "name" ? { name: property } : schema, (at) =>
              path[0] === "name" ? tool.input.locate(place, "key") : tool.input.locate(place + at),
            ),
        };
      }
      return {
        input: ({ schema, pointer: place }) => check(schema, (at) => tool.input.locate(place + at)),
        output: ({ schema, pointer: place }) => check(schema, (at) => (tool.output ?? tool.input).locate(place + at)),
      };
    },
  });
}

/** Creates the check of one field. Lists are checked item by item, except for their length. */
function createFieldCheck(declared: CustomRule): (value: unknown) => boolean {
  const { matches, oneOf, minLength, maxLength, minimum, maximum, forbidden = false } = declared;
  const asksForMore = [matches, oneOf, minLength, minimum].some((each) => each !== undefined);
  const { required = asksForMore } = declared;
  const pattern = matches === undefined ? undefined : linearPattern(matches);
  const keepsEach = (value: unknown): boolean =>
    (matches === undefined || (typeof value === "string" && isMatch(pattern, value))) &&
    (oneOf === undefined || oneOf.includes(value as string | number | boolean)) &&
    isWithin(minimum, maximum, value);
  return (value) => {
    if (value === undefined) return !required;
    if (forbidden) return false;
    const length =
      typeof value === "string" ? [...value].length : isList(value as JsonValue[]) ? (value as []).length : value;
    return isWithin(minLength, maxLength, length) && (Array.isArray(value) ? value.every(keepsEach) : keepsEach(value));
  };
}

function isWithin(least: number | undefined, most: number | undefined, value: unknown): boolean {
  if (least === undefined && most === undefined) return true;
  return typeof value === "number" && value >= (least ?? -Infinity) && value <= (most ?? Infinity);
}

function isMatch(pattern: LinearPattern | undefined, text: string): boolean {
  try {
    return pattern?.test(text) === true;
  } catch {
    return false;
  }
}

/** Lists the rules that a project adds to hasp's own, without their code. */
export function listProjectRules(plan: Pick<CompilePlan, "customRules" | "plugins">): readonly RuleFacts[] {
  const ofPlugins = (plan.plugins ?? []).flatMap(({ rules }) => rules);
  return [...createCustomRules(plan), ...ofPlugins].map(({ id, severity, summary, why, examples }) => ({
    id,
    severity,
    summary,
    why,
    examples,
  }));
}
