import { yaml } from "../reading/example-spec.js";
import { defineRule, type Rule } from "../rule.js";

export const retriesWithoutRetryableError: Rule = defineRule({
  id: "safety/retries-without-retryable-error",
  group: "safety",
  scope: "project",
  severity: "info",
  summary: "The handler of a tool with retries marks some error as retryable.",
  why:
    "The runtime repeats a call after a timeout, or after an error with `retryable: true`, and after no other: most errors come again. A " +
    "handler that marks none gets no retry when a service is busy or a connection breaks, which is usually what `maxRetries` was set for.",
  messages: {
    "only-timeouts":
      "maxRetries: {retries} applies to timeouts only: nothing in its handler marks an error as retryable. Throw Object.assign(error, { retryable: true }) where trying again may help, or remove maxRetries.",
  },
  examples: {
    bad: [
      {
        spec: yaml`
          hasp: 1
          name: fetch_rates
          description: Fetch exchange rates.
          input: { type: object, properties: {} }
          concurrency: { class: READ_ONLY }
          limits: { maxRetries: 3 }
        `,
        plan: { handlerDigests: { "src/tools/fetch-rates.ts": { digest: "", own: "" } } },
        reports: ["only-timeouts"],
      },
    ],
    good: [
      {
        spec: yaml`
          hasp: 1
          name: fetch_rates
          description: Fetch exchange rates. The handler throws errors with retryable set.
          input: { type: object, properties: {} }
          concurrency: { class: READ_ONLY }
          limits: { maxRetries: 3 }
        `,
        plan: { handlerDigests: { "src/tools/fetch-rates.ts": { digest: "", own: "", marksRetryable: true } } },
      },
    ],
  },
  check({ tools, handlers }, report) {
    for (const tool of tools) {
      const { maxRetries } = tool.metadata.limits;
      const handler = handlers.get(tool.name);
      // Of code that cannot be followed nothing is known.
      if (
        maxRetries === 0 ||
        handler === undefined ||
        handler.marksRetryable === true ||
        handler.obstacle !== undefined
      ) {
        continue;
      }
      report("only-timeouts", { tool, location: tool.locate("/limits/maxRetries") }, { retries: maxRetries });
    }
  },
});
