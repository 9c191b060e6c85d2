import { expect, test } from "vitest";
import { rules } from "@hasp/builtin";
import { testRule } from "./plugin-testing.js";
import { defineRule } from "@hasp/compiler/plugin";

test.each(rules.map((rule) => [rule.id, rule] as const))("the rule %s behaves as its examples say", (_, rule) =>
  testRule(rule),
);

test("testRule reports examples that a rule does not satisfy", async () => {
  const spec = "hasp: 1\nname: a\ndescription: Read a.\ninput: { type: object, properties: {} }\n";
  const silent = defineRule({
    id: "acme/silent",
    severity: "error",
    summary: "It reports nothing.",
    why: "To show it.",
    messages: { never: "Never." },
    examples: { bad: [{ spec, reports: ["never"] }], good: [] },
    checkTool: () => undefined,
  });
  await expect(testRule(silent)).rejects.toThrow(
    'acme/silent: bad example 1 reports [] and not ["never"]; it has no good example; no bad example draws the message "never".',
  );
  const unread = { ...silent, examples: { bad: [{ spec: "nothing: true", reports: [] }], good: [] } };
  await expect(testRule(unread)).rejects.toThrow("An example is no valid spec");
});
