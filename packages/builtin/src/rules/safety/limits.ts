import { FAIL_CLOSED_DEFAULTS } from "@hasp/runtime/contract";
import { reporting, spec, defineRule, type Rule } from "@hasp/compiler/plugin";

export const undecidedInterrupt: Rule = defineRule({
  id: "safety/undecided-interrupt",
  severity: "warning",
  summary: "A tool that may run for long states what happens when the user interrupts it.",
  why:
    "With `block`, a user who presses stop waits until the call ends; with `cancel`, the tool must be able to stop in the " +
    "middle. For a call of one second either is fine; for one of ten minutes somebody has to decide.",
  messages: {
    undecided:
      "A call may run for {timeout}, and interruptBehavior is not stated. Write block (a stop waits for the end) or cancel (the handler can stop in the middle).",
  },
  examples: {
    bad: [
      reporting("undecided")`
        name: build_image
        description: Build an image.
        input: { type: object, properties: {} }
        limits: { timeoutSeconds: 900 }
      `,
    ],
    good: [
      spec`
        name: build_image
        description: Build an image.
        input: { type: object, properties: {} }
        behavior: { interruptBehavior: cancel }
        limits: { timeoutSeconds: 900 }
      `,
      spec`
        name: get_time
        description: Tell the time.
        input: { type: object, properties: {} }
      `,
    ],
  },
  checkTool(tool, { report }) {
    const usual = FAIL_CLOSED_DEFAULTS.limits.timeoutSeconds;
    const { timeoutSeconds } = tool.metadata.limits;
    const isLong = timeoutSeconds === "unlimited" || (usual !== "unlimited" && timeoutSeconds > usual);
    if (!isLong || tool.stated.has("behavior.interruptBehavior")) return;
    const timeout = timeoutSeconds === "unlimited" ? "without a limit" : `${timeoutSeconds} seconds`;
    report("undecided", { location: tool.locate("/limits/timeoutSeconds") }, { timeout });
  },
});

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
        spec: spec`
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
        spec: spec`
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
      reporting("never-used")`
        name: charge_card
        description: Charge a card.
        input: { type: object, properties: {} }
        limits: { maxRetries: 3 }
      `,
    ],
    good: [
      spec`
        name: charge_card
        description: Charge a card.
        input: { type: object, properties: {} }
        behavior: { isIdempotent: withKey }
        limits: { maxRetries: 3 }
      `,
      spec`
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
