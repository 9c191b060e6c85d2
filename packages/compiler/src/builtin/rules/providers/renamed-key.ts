import { dialects, type Dialect } from "@hasp/schema";
import { yaml } from "../reading/example-spec.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

export const renamedKey: Rule = defineRule({
  id: "providers/renamed-key",
  severity: "info",
  summary: "Every configured provider accepts the names of the parameters.",
  why:
    "If a provider does not accept a name, hasp sends another one and translates the answer back. Nothing is lost, but the model reads one " +
    "name in the schema and another in every description and example that mentions it.",
  messages: {
    renamed:
      '"{name}" is sent under another name to {dialects}, which does not accept it. Use letters, digits and "_", and begin with a letter.',
  },
  examples: {
    bad: [
      {
        spec: yaml`
          hasp: 1
          name: find
          description: Find.
          input: { type: object, properties: { max-rows: { type: integer }, "§": { type: integer } } }
        `,
        reports: ["renamed", "renamed"],
        plan: {
          dialects: [
            { id: "anthropic", strict: false, onUncarried: "error" },
            { id: "gemini", strict: false, onUncarried: "error" },
          ],
        },
      },
    ],
    good: [
      {
        spec: yaml`
          hasp: 1
          name: find
          description: Find.
          input: { type: object, properties: { max-rows: { type: integer } } }
        `,
        plan: { dialects: [{ id: "anthropic", strict: false, onUncarried: "error" }] },
      },
    ],
  },
  visitTool(tool, { plan, report }) {
    const rules = plan.dialects.flatMap(({ id }) => listKeyRules(dialects[id]));
    if (rules.length === 0) return {};
    return {
      parameter({ property, pointer }) {
        const isRoot = pointer.split("/").length === 3;
        const refusing = rules
          .filter((rule) => (isRoot || !rule.isOnlyForRoot) && !rule.form.test(property))
          .map(({ id }) => id);
        if (refusing.length === 0) return;
        report(
          "renamed",
          { location: tool.input.locate(pointer, "key") },
          { name: property, dialects: refusing.join(", ") },
        );
      },
    };
  },
});

interface KeyRule {
  readonly id: string;
  readonly form: RegExp;
  readonly isOnlyForRoot: boolean;
}

/** Returns the forms of keys that a dialect accepts. */
function listKeyRules({ id, propertyName }: Dialect): readonly KeyRule[] {
  if (propertyName === undefined) return [];
  const { first, further, maxLength, scope } = propertyName;
  return [{ id, form: new RegExp(`^${first}${further}{0,${maxLength - 1}}$`, "u"), isOnlyForRoot: scope === "root" }];
}
