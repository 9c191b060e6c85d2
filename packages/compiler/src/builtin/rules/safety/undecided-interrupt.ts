import { FAIL_CLOSED_DEFAULTS } from "@hasp/runtime";
import { yaml } from "../reading/example-spec.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

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
      {
        spec: yaml`
          hasp: 1
          name: build_image
          description: Build an image.
          input: { type: object, properties: {} }
          limits: { timeoutSeconds: 900 }
        `,
        reports: ["undecided"],
      },
    ],
    good: [
      yaml`
        hasp: 1
        name: build_image
        description: Build an image.
        input: { type: object, properties: {} }
        behavior: { interruptBehavior: cancel }
        limits: { timeoutSeconds: 900 }
      `,
      yaml`
        hasp: 1
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
