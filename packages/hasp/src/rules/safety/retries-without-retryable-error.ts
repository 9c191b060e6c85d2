import { yaml } from "../reading/example-spec.js";
import { defineRule, type Rule } from "../rule.js";

export const retriesWithoutRetryableError: Rule = defineRule({
  id: "safety/retries-without-retryable-error",
  group: "safety",
  scope: "project",
  severity: "info",
  summary: "The handler of a tool with retries marks some error as retryable.",
  why:
    "The runtime repeats a call after a timeout, after an error that it knows to be transient (a lost connection, HTTP 429 or 503, a deadlock in " +
    "Postgres) and after one with `retryable: true`. Most other errors come again, so it repeats none of them. A service that says otherwise that " +
    "it is busy gets no second call unless the handler marks its errors.",
  messages: {
    "marks-none":
      "maxRetries: {retries} applies only to timeouts and to errors that the runtime knows to be transient: the handler marks none as retryable. Where another may pass, throw Object.assign(error, { retryable: true }).",
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
      report("marks-none", { tool, location: tool.locate("/limits/maxRetries") }, { retries: maxRetries });
    }
  },
});
