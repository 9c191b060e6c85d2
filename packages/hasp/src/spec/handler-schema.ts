import type { JsonObject } from "@hasp/schema";

/** The key `handler` of a spec. */
export const handlerSchema: JsonObject = {
  description:
    "How the tool does its work. Without this key, the function `execute` of its handler runs in your process.",
  type: "object",
  minProperties: 1,
  additionalProperties: false,
  properties: {
    isolation: {
      description:
        "Runs `execute` in a process of its own, one per call, with the variables of `needs.env` and no others. The process is killed with all it started when a limit is exceeded, at the latest after `limits.timeoutSeconds`; the error names the limit. `{}` sets no further limit. It contains faults and is not a sandbox. Such an `execute` receives no context.",
      type: "object",
      additionalProperties: false,
      properties: {
        memoryMb: {
          description: "Megabytes of memory, at least 64: Node itself takes about 50. Default: no limit.",
          type: "integer",
          minimum: 64,
          maximum: 1_048_576,
        },
        cpuSeconds: {
          description: "Seconds of CPU time, at least 1, the start of Node included. Default: no limit.",
          type: "number",
          minimum: 1,
        },
        outputMb: {
          description:
            "Megabytes that the process returns, reports as progress and prints, together. Default: no limit.",
          type: "number",
          exclusiveMinimum: 0,
        },
      },
      examples: [{ memoryMb: 512, cpuSeconds: 30, outputMb: 4 }],
    },
  },
};
