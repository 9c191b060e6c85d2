import { yaml } from "../reading/example-spec.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

export const retriesWithoutRetryableError: Rule = defineRule({
  id: "safety/retries-without-retryable-error",
  severity: "info",
  summary: "The handler of a tool with retries marks some error as retryable.",
  why:
    "The runtime retries a call after a timeout, after an error that it knows to be transient (a lost connection, HTTP 429 or 503, a deadlock in " +
    "Postgres) and after one with `retryable: true`. Most other errors would only recur, so it does not retry them. If a service reports in another " +
    "way that it is busy, there is no second attempt unless the handler marks the error.",
  messages: {
    "marks-none":
      "maxRetries: {retries} applies only to timeouts and to errors that the runtime knows to be transient: the handler marks none as retryable. For another error that may not recur, throw Object.assign(error, { retryable: true }).",
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
        reports: ["marks-none"],
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
  checkProject({ tools, handlers }, { report }) {
    for (const tool of tools) {
      const { maxRetries } = tool.metadata.limits;
      const handler = handlers.get(tool.name);
      // Code that cannot be followed may return any error.
      if (
        maxRetries === 0 ||
        handler === undefined ||
        handler.marksRetryable === true ||
        handler.obstacle !== undefined
      ) {
        continue;
      }
      report("marks-none", { tool, location: tool.locate("/limits/maxRetries") }, { retries: maxRetries });
    }
  },
});
