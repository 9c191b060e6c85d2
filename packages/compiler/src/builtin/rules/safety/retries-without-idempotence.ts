import { yaml } from "../reading/example-spec.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

export const retriesWithoutIdempotence: Rule = defineRule({
  id: "safety/retries-without-idempotence",
  severity: "error",
  summary: "A tool with retries is read-only or idempotent for some calls.",
  why:
    "The runtime retries only calls that are read-only or idempotent, because repeating any other may do the work twice. On " +
    "a tool without such calls, `maxRetries` is never used and misleads the reader.",
  messages: {
    "never-used":
      "maxRetries: {retries} is never used: no call of this tool is read-only or idempotent. Remove it, or state isIdempotent and say why.",
  },
  examples: {
    bad: [
      {
        spec: yaml`
          hasp: 1
          name: charge_card
          description: Charge a card.
          input: { type: object, properties: {} }
          limits: { maxRetries: 3 }
        `,
        reports: ["never-used"],
      },
    ],
    good: [
      yaml`
        hasp: 1
        name: charge_card
        description: Charge a card.
        input: { type: object, properties: {} }
        behavior: { isIdempotent: withKey }
        limits: { maxRetries: 3 }
      `,
      yaml`
        hasp: 1
        name: call_api
        description: Call an API.
        input: { type: object, required: [method], properties: { method: { enum: [GET, POST] } } }
        concurrency: { rules: [{ when: "input.method == 'GET'", class: READ_ONLY }] }
        limits: { maxRetries: 3 }
      `,
    ],
  },
  checkTool(tool, { report }) {
    const { maxRetries } = tool.metadata.limits;
    const { isReadOnly, isIdempotent } = tool.metadata.behavior;
    if (maxRetries === 0 || isReadOnly || isIdempotent !== false) return;
    const isSometimes =
      tool.rules.some((rule) => rule.isReadOnly === true || (rule.isIdempotent ?? false) !== false) ||
      tool.flags.some(({ flag }) => flag === "isReadOnly" || flag === "isIdempotent");
    if (!isSometimes) {
      report("never-used", { location: tool.locate("/limits/maxRetries") }, { retries: maxRetries });
    }
  },
});
