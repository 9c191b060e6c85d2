import { closed } from "../model/field-schemas.js";
import type { JsonObject } from "@hasp/schema";
import { PART_NAME } from "../model/reserved-names.js";
import { HANDLER_FORMATS, handlerKindNames } from "./handlers/index.js";

export const handlerSchema: JsonObject = closed({
  description:
    "How the tool does its work: exactly one of these keys. Without `handler`, the function `execute` of your own handler runs in your process.",
  minProperties: 1,
  maxProperties: 1,
  "x-expected": `an object with exactly one of ${[...handlerKindNames, "isolation"].join(", ")} or a kind that a plugin adds`,
  patternProperties: { [PART_NAME]: HANDLER_FORMATS.plugin.schema },
  properties: {
    ...Object.fromEntries(handlerKindNames.map((name) => [name, HANDLER_FORMATS[name].schema])),
    isolation: closed({
      description:
        "Runs `execute` in a process of its own, one per call, with the variables of `needs.env` and no others. The process is killed with all it started when a limit is exceeded, at the latest after `limits.timeoutSeconds`; the error names the limit. `{}` sets no further limit. It contains faults and is not a sandbox. Such an `execute` receives no context.",
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
    }),
  },
});

export const respondSchema: JsonObject = testSchema(
  "respond",
  "What the outside world answers: the handler then runs without it. For a tool that declares its handler.",
);
export const requestSchema: JsonObject = testSchema(
  "request",
  "What the handler sends. Only what is stated is compared.",
);

/** Creates a form for any kind; a later check compares it with the tool's own kind. */
function testSchema(part: "respond" | "request", description: string): JsonObject {
  const kinds = Object.keys(HANDLER_FORMATS) as readonly (keyof typeof HANDLER_FORMATS)[];
  const forms = kinds.map((kind) => {
    const { properties } = HANDLER_FORMATS[kind][part];
    return `{ ${Object.keys(typeof properties === "object" ? (properties ?? {}) : {}).join(", ")} } (${kind})`;
  });
  return {
    description,
    anyOf: kinds.map((kind) => HANDLER_FORMATS[kind][part]),
    "x-expected": `one of ${forms.join(", ")}`,
  };
}
