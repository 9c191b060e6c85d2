import type { JsonObject } from "@hasp/schema";
import { listKeys, SPEC_KEYS } from "../model/spec-keys.js";

const named = (description: string): JsonObject => ({ description, type: "string", minLength: 1 });
const list = (description: string, items: JsonObject): JsonObject => ({ description, type: "array", items });
const record = (required: readonly string[], properties: JsonObject): JsonObject => ({
  type: "object",
  required,
  properties,
});

/** The keys whose values the model takes from the spec as they are. */
const STATED: JsonObject = Object.fromEntries(
  (["name", "title", "description", ...listKeys("model")] as const).map((key) => {
    const { "x-expected": _, ...schema } = SPEC_KEYS[key].schema as JsonObject;
    return [key, schema];
  }),
);

/** The format of `hasp show model:` as a JSON Schema. Objects are open, since later versions add keys. */
export const compiledModelSchema: JsonObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "hasp compiled model",
  description:
    "A compiled project, as `hasp show model:` prints it and emitters of plugins receive it. Later versions of hasp may add keys; a change of what a key means raises `version`.",
  ...record(["version", "tools", "toolsets"], {
    version: { description: "Version of the format.", const: 1 },
    tools: list("Every tool, by name.", { $ref: "#/$defs/Tool" }),
    toolsets: list("The selections of tools, each with its provider lists.", { $ref: "#/$defs/Toolset" }),
  }),
  $defs: {
    Tool: {
      description: "One tool: keys of its spec, `x-…` among them, and what the compiler worked out.",
      ...record(["name", "description", "spec", "input", "metadata", "worstCase", "relaxations"], {
        ...STATED,
        spec: named("The path of the spec, with a JSON Pointer where the file holds several tools."),
        input: {
          description: "What callers may send: flat, with every object closed unless the spec opens it.",
          type: "object",
        },
        output: { description: "What calls answer; absent where the spec does not say.", type: ["object", "boolean"] },
        metadata: {
          description: "Every behavioural field with its value, by group; defaults are filled in.",
          type: "object",
          additionalProperties: { type: "object" },
        },
        worstCase: { description: "The strictest values that any call may get.", type: "object" },
        relaxations: list("The claims that loosen a default, each in one line.", { type: "string" }),
      }),
    },
    Toolset: record(["name", "tools", "lists"], {
      name: named('The toolset\'s name; "all" where the configuration names none.'),
      tools: list("The names of its tools.", { type: "string" }),
      lists: list("One list for each dialect.", { $ref: "#/$defs/List" }),
    }),
    List: record(["dialect", "tools", "excluded", "losses"], {
      dialect: named("The dialect, as the configuration names it."),
      tools: list("The tools in the list, by name.", {
        ...record(["name", "wireName", "definition"], {
          name: named("The tool's name."),
          wireName: named("The name that the provider sees."),
          definition: { description: "The provider's entry, ready to be sent.", type: "object" },
        }),
      }),
      excluded: list("The tools that the list leaves out.", {
        ...record(["name", "reason"], { name: named("The tool's name."), reason: named("Why.") }),
      }),
      losses: list("The constraints that the dialect cannot express; the runtime enforces them.", {
        ...record(["tool", "pointer", "keyword"], {
          tool: named("The tool's name."),
          pointer: { description: "JSON Pointer into its schema.", type: "string" },
          keyword: named("The keyword that is lost."),
        }),
      }),
    }),
  },
};
