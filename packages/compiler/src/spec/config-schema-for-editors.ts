import { ref } from "../model/field-schemas.js";
import type { JsonObject } from "@hasp/schema";
import type { RuleFacts } from "../model/plan.js";
import { PART_NAME } from "../model/reserved-names.js";
import { isFixedRule, RULE_GROUPS } from "../model/finding-ids.js";
import { haspConfigSchema } from "./hasp-config-schema.js";

const OTHER_RULE = `^(?!(?:${RULE_GROUPS.join("|")})/)${PART_NAME.slice(1)}`;

/** The configuration schema for editors, with rule ids for completion. Rules whose severity is fixed are left out. */
export function configSchemaForEditors(rules: readonly RuleFacts[]): JsonObject {
  const settable = rules.filter((rule) => !isFixedRule(rule)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const severities: JsonObject = {
    properties: Object.fromEntries(
      settable.map(({ id, severity, summary }) => [id, ref("RuleSeverity", `${summary} (${severity})`)]),
    ),
    // Rules of plugins and of customRules have a prefix of their own.
    patternProperties: { [OTHER_RULE]: { $ref: "#/$defs/RuleSeverity" } },
    additionalProperties: false,
  };
  const ids: JsonObject = {
    anyOf: [{ enum: settable.map(({ id }) => id) }, { pattern: OTHER_RULE }],
    "x-expected": "the id of a rule",
  };
  return {
    ...haspConfigSchema,
    $defs: withAt(haspConfigSchema["$defs"], ["Config", "properties"], (properties) => {
      const rulesOfOverride = ["overrides", "items", "properties", "rules"];
      const ruleOfIgnore = ["ignore", "items", "properties", "rule"];
      const general = withAt(properties, ["rules"], (schema) => ({ ...schema, ...severities }));
      const special = withAt(general, rulesOfOverride, (schema) => ({ ...schema, ...severities }));
      return withAt(special, ruleOfIgnore, (schema) => ({ ...schema, ...ids }));
    }),
  };
}

/** Replaces the object at a path of keys. Throws if there is none. */
function withAt(value: unknown, path: readonly string[], change: (object: JsonObject) => JsonObject): JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new TypeError(`The configuration schema has no object at ${path.join("/")}.`);
  }
  const object = value as JsonObject;
  const [key, ...rest] = path;
  return key === undefined ? change(object) : { ...object, [key]: withAt(object[key], rest, change) };
}
