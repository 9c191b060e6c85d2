// The format of `bundle.json`.
const text = (description) => ({ description, type: "string", minLength: 1 });
const ref = (definition, description) => ({ description, $ref: `#/$defs/${definition}` });
const list = (description, items) => ({ description, type: "array", items });
const record = (required, properties) => ({
  type: "object",
  required,
  properties,
});
const map = (description, values) => ({
  description,
  type: "object",
  additionalProperties: values,
});

const value = ref("Decoder", "How to decode that value; absent if it stays as it is.");

/** The decoders by kind: what each does to a value, and its members. A value that one does not fit is refused. */
const DECODERS = {
  object: [
    "An object: rename members, remove those that stand for absent ones, decode values.",
    ["properties"],
    {
      properties: map(
        "By the name that the tool knows. Others keep their name, but one that is the name of a renamed property becomes that property's `wire`.",
        record([], {
          wire: text("The name that the model sends; absent if it is the same."),
          absent: {
            description: "`null` means absent. With `wrapped`, each other value is sent as `{ value: … }`.",
            enum: ["null", "wrapped"],
          },
          value,
        }),
      ),
      additional: ref("Decoder", "How to decode the values of all other members."),
      rest: {
        description: "The member that holds further members, as a list of `{ key, value }`.",
        ...record(["wire", "declared"], {
          wire: text("Its name."),
          declared: list("Names that no key may have.", { type: "string" }),
          value,
        }),
      },
    },
  ],
  array: ["A list: decode its items.", ["items"], { items: ref("Decoder", "How to decode each item.") }],
  tuple: [
    "A list that was sent as an object: decode it, then take its members in this order.",
    ["names"],
    {
      names: list("The names of its first items.", { type: "string" }),
      rest: text("The name of the list of further items."),
      value,
    },
  ],
  pairs: ["An object that was sent as a list of `{ key, value }`, each key once.", [], { value }],
  wrap: ["A value that was sent inside an object.", ["wire"], { wire: text("Its name there."), value }],
  union: [
    "One of several shapes: the first whose `wire` accepts what was sent.",
    ["branches"],
    {
      branches: list("The shapes.", {
        ...record(["accepts", "wire"], {
          accepts: { description: "For encoding: accepts the decoded value.", type: ["object", "boolean"] },
          wire: {
            description: "A JSON Schema of these keywords only: type, enum, required, properties, and `{ not: {} }`.",
            type: ["object", "boolean"],
          },
          value,
        }),
      }),
    },
  ],
  text: ["A value that was sent as its JSON text.", [], {}],
  reference: ["Use the definition of this name.", ["name"], { name: text("Its name.") }],
  definitions: [
    "Use `root`, in which references name these definitions.",
    ["definitions", "root"],
    { definitions: map("By name.", { $ref: "#/$defs/Decoder" }), root: ref("Decoder", "Where to begin.") },
  ],
};

const outcome = { description: "What holds then: `class` and flags.", type: "object" };
const condition = ref("Condition", "When it holds.");

/** Creates the format of `bundle.json` around that of a compiled tool. Objects are open, since later versions add keys. */
export const createBundleSchema = (tool) => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "hasp bundle",
  description:
    "A toolset for programs in any language, as `hasp build` writes it with `emit: { bundle: true }`. Later versions of hasp may add keys; a change of what a key means raises `version`.",
  ...record(["version", "toolset", "tools", "dialects"], {
    version: { description: "Version of the format.", const: 1 },
    toolset: text("The toolset's name."),
    tools: map("Every tool, by name.", { $ref: "#/$defs/Tool" }),
    dialects: map("What each provider gets, by dialect.", { $ref: "#/$defs/Dialect" }),
  }),
  $defs: {
    Tool: {
      allOf: [tool],
      ...record(["decision", "checks"], {
        decision: ref("Decision", "Decides the class and flags of a call."),
        checks: list("Conditions of which each must hold for a valid input.", {
          ...record(["that"], { that: condition, message: text("What the model reads if it does not.") }),
        }),
        destination: text("CEL: the destination of what a call sends."),
        examples: list("Inputs, with what is expected of them.", { type: "object" }),
      }),
    },
    Decision: {
      description:
        "Judges a decoded, valid input with its defaults. Begin with `otherwise`; each of `flags` changes it by `then` or `else`; the first of `rules` that holds changes it by `then`. If a condition fails or cannot be evaluated, `worstCase` of the tool holds.",
      ...record(["otherwise", "flags", "rules"], {
        otherwise: outcome,
        flags: list(
          "Flags that depend on the input.",
          record(["if", "then", "else"], { if: condition, then: outcome, else: outcome }),
        ),
        rules: list("Rows of the decision table.", record(["if", "then"], { if: condition, then: outcome })),
      }),
    },
    Condition: {
      oneOf: [
        record(["cel"], { cel: text("An expression of CEL about `input`.") }),
        record(["custom"], { custom: text("A function of the handler, which only TypeScript can call.") }),
      ],
    },
    Dialect: record(["list", "deferred", "gated", "names", "decoders"], {
      list: list("The entries of a first request, as the provider takes them.", { type: "object" }),
      deferred: list("Entries to add after a model has searched for them.", { type: "object" }),
      gated: map("Entries behind each feature gate.", { type: "array", items: { type: "object" } }),
      names: map("The tools, by the name that a model calls.", { type: "string" }),
      decoders: map("By tool. Absent if what the model sends is the tool's input.", { $ref: "#/$defs/Decoder" }),
    }),
    Decoder: { oneOf: Object.keys(DECODERS).map((kind) => ({ $ref: `#/$defs/${kind}` })) },
    ...Object.fromEntries(
      Object.entries(DECODERS).map(([kind, [description, required, members]]) => [
        kind,
        { description, ...record(["kind", ...required], { kind: { const: kind }, ...members }) },
      ]),
    ),
  },
});
