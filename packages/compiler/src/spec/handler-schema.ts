import { closed } from "../model/field-schemas.js";
import type { JsonObject } from "@hasp/schema";
import type { HandlerFormats, KindFormats } from "../model/handlers.js";

/** The forms of any kind that a plugin adds. */
export const PLUGIN_FORMATS: HandlerFormats = {
  declaration: {
    description: "A handler of a kind that a plugin adds. The plugin says what it holds.",
    type: "object",
  },
  respond: closed({
    description: "The answer, for a handler of a plugin's kind.",
    properties: {
      output: { description: "What it returns." },
      error: { description: "What it throws instead.", type: "string" },
    },
  }),
  request: closed({
    description: "The call, for a handler of a plugin's kind.",
    properties: { input: { description: "The input with the bound values.", type: "object" } },
  }),
};

export function createHandlerSchema(all: readonly KindFormats[], others: string): JsonObject {
  const kinds = all.filter(({ isBare }) => isBare !== true);
  const bare = all.filter(({ isBare }) => isBare === true);
  const words = bare.map(({ name, formats }) => `\`${name}\`. ${String(formats.declaration["description"])}`);
  const names = bare.map(({ name }) => name);
  return {
    ...closed({}),
    description: `How the tool does its work: exactly one of these keys, or ${words.join(" ")} Without \`handler\`, the function \`execute\` of your own handler runs in your process.`,
    type: ["object", "string"],
    pattern: `^(?:${names.join("|")})$`,
    minProperties: 1,
    maxProperties: 1,
    "x-expected": `${names.map((name) => `${name}, or `).join("")}an object with exactly one of ${[...kinds.map(({ name }) => name), "isolation"].join(", ")} or a kind that a plugin adds`,
    patternProperties: { [others]: PLUGIN_FORMATS.declaration },
    properties: {
      ...Object.fromEntries(kinds.map(({ name, formats }) => [name, formats.declaration])),
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
  };
}

const TEST_PARTS = {
  respond: "What the outside world answers: the handler then runs without it. For a tool that declares its handler.",
  request: "What the handler sends. Only what is stated is compared.",
} as const;

/** Creates the schema of a part of a test for any kind; a later check compares it with the tool's own kind. */
export function createTestSchema(kinds: readonly KindFormats[], part: keyof typeof TEST_PARTS): JsonObject {
  const all = [...kinds, { name: "plugin", formats: PLUGIN_FORMATS }];
  const forms = all.map(({ name, formats }) => {
    const { properties } = formats[part];
    return `{ ${Object.keys(typeof properties === "object" ? (properties ?? {}) : {}).join(", ")} } (${name})`;
  });
  return {
    description: TEST_PARTS[part],
    anyOf: all.map(({ formats }) => formats[part]),
    "x-expected": `one of ${forms.join(", ")}`,
  };
}
