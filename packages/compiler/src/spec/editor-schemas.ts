import { isObject, sortBy } from "@hasp/base/json";
import { closed } from "../model/field-schemas.js";
import type { JsonObject } from "@hasp/schema";
import { isFixedRule, RULE_GROUPS } from "../model/finding-ids.js";
import type { RuleFacts } from "../model/plan.js";
import { PART_NAME } from "../model/reserved-names.js";

/** Creates the format of ledger files as a JSON Schema, for editors. `ledger/ledger-file.ts` reads them. */
export const createLedgerSchema = (kinds: readonly string[]): JsonObject => ({
  title: "hasp ledger",
  description: "The approved claims of one tool or policy. `hasp approve` writes it.",
  $ref: "#/$defs/Ledger",
  $defs: {
    Ledger: closed({
      required: ["approved"],
      properties: {
        approved: {
          description: "The approved claims, one entry each.",
          type: "array",
          items: { $ref: "#/$defs/Entry" },
        },
      },
    }),
    Entry: closed({
      required: ["claim", "reason", "covers"],
      properties: {
        claim: { description: "The claim, as the finding names it.", type: "string" },
        reason: { description: "Why the claim is safe, in the reviewer's words.", type: "string" },
        contradicts: {
          description: "The kind of the declared handler that contradicts the claim, which was approved all the same.",
          enum: [...kinds],
        },
        expires: { description: "The last day of the approval, such as 2027-01-31.", type: "string" },
        by: { description: "Who approved the claim.", type: "string" },
        on: { description: "The day of the approval.", type: "string" },
        covers: {
          description: "Digest of what was reviewed. Where it differs, the approval no longer holds.",
          type: "string",
        },
        input: {
          description: "The covered input. While the tool accepts no more than this, the approval still holds.",
          type: "string",
        },
      },
    }),
  },
});

const OTHER_RULE = `^(?!(?:${RULE_GROUPS.join("|")})/)${PART_NAME.slice(1)}`;

/** Completes the configuration schema for editors, with rule ids for completion. Rules whose severity is fixed are left out. */
export function configSchemaForEditors(schema: JsonObject, rules: readonly RuleFacts[]): JsonObject {
  const settable = sortBy(
    rules.filter((rule) => !isFixedRule(rule)),
    ({ id }) => id,
  );
  const rule: JsonObject = {
    description: "The rule's id.",
    // Rules of plugins have a prefix of their own.
    anyOf: [{ enum: settable.map(({ id }) => id) }, { type: "string", pattern: OTHER_RULE }],
    "x-expected": "the id of a rule",
  };
  return {
    ...schema,
    $defs: [["then", "else"], ["else"]].reduce<unknown>(
      (definitions, branch) =>
        withAt(definitions, ["FindingSetting", ...branch, "properties"], (of) => ({ ...of, rule })),
      schema["$defs"],
    ) as JsonObject,
  };
}

/** Replaces the object at a path of keys. Throws if there is none. */
function withAt(value: unknown, path: readonly string[], change: (object: JsonObject) => JsonObject): JsonObject {
  if (!isObject(value)) {
    throw new TypeError(`The configuration schema has no object at ${path.join("/")}.`);
  }
  const object = value as JsonObject;
  const [key, ...rest] = path;
  return key === undefined ? change(object) : { ...object, [key]: withAt(object[key], rest, change) };
}
