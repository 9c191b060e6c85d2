import { dialects, type JsonObject, type JsonSchema, type JsonValue, type ValidatorOptions } from "@hasp/schema";
import { FIELDS, RESOURCE_KEY_PATTERN, type OutputCheck } from "@hasp/runtime/contract";
import type { FreeTextInput } from "../free-text/input.js";
import type { SpecBind, SpecHandler } from "./handlers.js";
import {
  closed,
  createExpectedSchemas,
  flag,
  groupSchemas,
  outputCheckSchema,
  ref,
  createRowSchemas,
  text,
} from "./field-schemas.js";
import type {
  SpecCheck,
  SpecConcurrency,
  SpecDisplay,
  SpecExample,
  SpecFields,
  SpecProviders,
  SpecTest,
  SpecVisibility,
} from "./tool-spec.js";

export interface SchemaParts {
  readonly handler: JsonObject;
  readonly respond: JsonObject;
  readonly request: JsonObject;
}

declare const described: unique symbol;

type SchemaOf<Value> = (JsonObject | ((parts: SchemaParts) => JsonObject)) & { readonly [described]?: Value };

type Reader = "prompt" | "module" | "model";

export interface SpecKey {
  readonly schema: SchemaOf<unknown>;
  readonly required?: true;
  /** Set for keys that a repeated import updates. */
  readonly imported?: true;
  /** The readers of the unchanged value: models, generated module, compiled model. Compiled parts are not listed. */
  readonly in?: readonly Reader[];
  /** The comparison of two versions: with all that models read, or none, for this reason. Default: a comparer of its own. */
  readonly diff?: "prompt" | { readonly not: string };
}

/** Every key of a spec, in the order of the format; types, formats and comparisons are derived from it. */
export const SPEC_KEYS = {
  $schema: {
    schema: {
      description: "Location of this format's JSON Schema, for editors. In YAML, a comment can state it instead.",
      type: "string",
    } as SchemaOf<string>,
    diff: { not: "for editors" },
  },
  hasp: {
    schema: ref("FormatVersion", "The version of this format. Always 1.") as SchemaOf<1>,
    diff: { not: "the format has one version" },
  },
  name: {
    schema: {
      description:
        "The name by which the model calls the tool: a letter, then letters, digits, `_` and `-`, at most 64 characters. `tool_search`, `read_result` and names that start with `mcp__` are reserved.",
      type: "string",
      pattern: "^[A-Za-z][A-Za-z0-9_-]{0,63}$",
      "x-expected": 'a name of letters, digits, "_" and "-" that starts with a letter and has at most 64 characters',
      examples: ["search_files", "execute_sql"],
    } as SchemaOf<string>,
    required: true,
    in: ["module"],
    diff: { not: "a tool of another name is another tool" },
  },
  title: {
    schema: {
      description: "The display name in menus and permission dialogs.",
      type: "string",
      minLength: 1,
      examples: ["Execute SQL"],
    } as SchemaOf<string>,
    imported: true,
    in: ["prompt", "module"],
    diff: "prompt",
  },
  description: {
    schema: {
      description:
        "What the model reads to decide whether to call the tool: what it does, when to use it, when not to, and what to use instead.",
      type: "string",
      minLength: 1,
      pattern: "\\S",
      "x-expected": "a string that tells the model what the tool does",
      examples: [
        "Run one SQL statement against the application database. Use it to look up or change records. Do not use it for schema migrations: use `migrate_database`.",
      ],
    } as SchemaOf<string>,
    required: true,
    imported: true,
    in: ["prompt", "module"],
    diff: "prompt",
  },
  owner: {
    schema: {
      description: "The team or person responsible for the tool.",
      type: "string",
      minLength: 1,
      examples: ["data-platform"],
    } as SchemaOf<string>,
    in: ["module", "model"],
    diff: { not: "people read it, and nothing goes by it" },
  },
  tags: {
    schema: {
      description: "Tags by which toolsets select tools.",
      type: "array",
      uniqueItems: true,
      items: { type: "string", minLength: 1 },
      examples: [["database"]],
    } as SchemaOf<readonly string[]>,
    in: ["module", "model"],
    diff: { not: "toolsets select by them, and `compareLists` compares what they select" },
  },
  aliases: {
    schema: {
      description: "Former names that still reach the tool. Models do not see them, so they cost no tokens.",
      type: "array",
      uniqueItems: true,
      items: {
        type: "string",
        pattern: "^[A-Za-z][A-Za-z0-9_-]{0,63}$",
        "x-expected": 'a name of letters, digits, "_" and "-" that starts with a letter and has at most 64 characters',
      },
      examples: [["run_sql"]],
    } as SchemaOf<readonly string[]>,
    in: ["module"],
  },
  input: {
    schema: {
      description:
        "JSON Schema of the tool's input. `#/…` points inside this schema; definitions that several tools share live in separate files (`./common/database.yaml#/$defs/Scope`). Objects accept no undeclared properties unless they say otherwise. With `type: string`, the tool takes free text: its input is `{ text }`, and OpenAI's models write the bare text.",
      if: { type: "object", required: ["type"], properties: { type: { const: "string" } } },
      then: { $ref: "#/$defs/FreeText" },
      else: { $ref: "#/$defs/JsonSchema" },
    } as SchemaOf<JsonSchema | FreeTextInput>,
    required: true,
    imported: true,
  },
  coerce: {
    schema: {
      description:
        "Whether an input that the schema refuses may be repaired: text that spells a number, and null at an optional property, which then counts as absent. With `emptyText: absent`, so does empty text. Default: true.",
      type: ["boolean", "object"],
      additionalProperties: false,
      required: ["emptyText"],
      properties: { emptyText: { description: "Empty text, which counts as absent.", const: "absent" } },
      "x-expected": "true, false or { emptyText: absent }",
    } as SchemaOf<NonNullable<ValidatorOptions["coerce"]>>,
    in: ["module"],
  },
  output: {
    schema: ref("JsonSchema", "JSON Schema of what the tool returns. Default: any JSON value.") as SchemaOf<JsonSchema>,
    imported: true,
  },
  outputCheck: {
    schema: outputCheckSchema as SchemaOf<OutputCheck>,
    in: ["module"],
  },
  concurrency: {
    schema: closed({
      description: "Whether calls of this tool may run concurrently with other calls.",
      properties: {
        ...groupSchemas("concurrency"),
        key: {
          description:
            "The resource that a WRITE_EXCLUSIVE call changes: a member of the input, or `path(…)` or `lower(…)` of one, which make its spellings equal. Calls on different resources may run in parallel; a call without a key runs alone. A reviewer must approve it.",
          type: "string",
          pattern: RESOURCE_KEY_PATTERN,
          "x-expected": "a member of the input such as input.id, path(input.path) or lower(input.id)",
          examples: ["path(input.path)"],
        },
        rules: {
          description:
            "A decision table over the input: the first matching row sets the class and flags. Rows are milder than the tool's own values, so each is a claim that a reviewer must approve.",
          type: "array",
          items: closed({
            required: ["class"],
            oneOf: [{ required: ["when"] }, { required: ["custom"] }],
            "x-expected":
              'a row with exactly one condition: "when" (an expression) or "custom" (the name of a function)',
            properties: {
              when: ref(
                "Expression",
                "The row's condition: a CEL expression over `input`. If it fails, the strictest values apply.",
              ),
              custom: ref(
                "FunctionName",
                "An alternative to `when` for conditions that CEL cannot express: the name of a function that the handler exports.",
              ),
              ...createRowSchemas(),
            },
          }),
        },
      },
    }) as SchemaOf<SpecConcurrency>,
  },
  behavior: {
    schema: closed({
      description:
        "What a call may do. Each value that is milder than its default is a claim that a reviewer must approve.",
      properties: {
        ...groupSchemas("behavior"),
        destination: {
          description:
            "Where a call sends its input: a CEL expression over `input`. A remembered answer about what may leave a conversation then covers every call with the same destination. A reviewer must approve it. Default, if it fails, and for a destructive call: the exact input.",
          $ref: "#/$defs/Expression",
          examples: ["input.to"],
        },
      },
    }) as SchemaOf<SpecFields<"behavior"> & { readonly destination?: string }>,
  },
  visibility: {
    schema: closed({
      description: "When models see the tool, and how: these keys, or the value of `load` alone.",
      type: ["string", "object"],
      if: { type: "string" },
      then: { enum: [...FIELDS.visibility.load.values] },
      properties: {
        ...groupSchemas("visibility"),
        featureGate: {
          description: "Name of a feature that must be on. If it is off, unknown or failing, the tool does not exist.",
          type: "string",
          minLength: 1,
          examples: ["SQL_TOOLS"],
        },
        searchHint: {
          description: "Keywords by which `tool_search` finds a deferred tool.",
          type: "string",
          minLength: 1,
          examples: ["database sql query rows records"],
        },
        describe: closed({
          description:
            "The description may vary: where a host asks for the definitions of a context, models read what this function returns for it. If it throws, they read `description`.",
          required: ["custom"],
          properties: {
            custom: ref(
              "FunctionName",
              "Name of a function that the handler exports. It receives the members of the context that `needs.context` names, and no others.",
            ),
          },
        }),
      },
    }) as SchemaOf<SpecVisibility>,
  },
  limits: {
    schema: closed({
      description: "Limits for one call. Values above the defaults are claims that a reviewer must approve.",
      properties: groupSchemas("limits"),
    }) as SchemaOf<SpecFields<"limits">>,
  },
  needs: {
    schema: closed({
      description: "What the handler needs from its environment.",
      properties: {
        env: {
          description: "Names of environment variables.",
          type: "array",
          uniqueItems: true,
          items: {
            type: "string",
            pattern: "^[A-Za-z_][A-Za-z0-9_]*$",
            "x-expected": "the name of an environment variable",
          },
          examples: [["DATABASE_URL"]],
        },
        context: {
          description: "Names of the context fields that `execute` and `describe` use.",
          type: "array",
          uniqueItems: true,
          items: { type: "string", minLength: 1 },
          examples: [["accountId"]],
        },
      },
    }) as SchemaOf<{ readonly env?: readonly string[]; readonly context?: readonly string[] }>,
  },
  handler: {
    schema: (({ handler }) => handler) as SchemaOf<SpecHandler>,
    imported: true,
  },
  bind: {
    schema: {
      description:
        "Values that a model must not choose: each is taken from the context. An input property of that name is hidden from models, and refused if one sends it.",
      type: "object",
      minProperties: 1,
      propertyNames: {
        pattern: "^(?!__proto__$)[A-Za-z_][A-Za-z0-9_-]*$",
        "x-expected": "a name of letters, digits, _ and -",
      },
      additionalProperties: {
        type: "string",
        pattern: "^context(\\.[^.\\s]+)+$",
        "x-expected": "a member of the context, such as context.customerId",
      },
      examples: [{ customerId: "context.customerId" }],
    } as SchemaOf<SpecBind>,
    in: ["module"],
  },
  validate: {
    schema: {
      description:
        "Checks that a schema cannot express, run after schema validation. A call that fails one returns its message and does not run.",
      type: "array",
      items: closed({
        oneOf: [
          { required: ["that", "message"] },
          { required: ["custom"], not: { anyOf: [{ required: ["that"] }, { required: ["message"] }] } },
        ],
        "x-expected": "either { that, message } or { custom: <name of a function> }",
        properties: {
          that: ref("Expression", "What must be true: a CEL expression over `input`."),
          message: text("What the model is told if the check fails."),
          custom: ref("FunctionName", "Name of a function that the handler exports; it returns `true` or a message."),
        },
      }),
    } as SchemaOf<readonly SpecCheck[]>,
  },
  examples: {
    schema: {
      description: "Example calls shown to models. They must be valid.",
      type: "array",
      items: closed({
        required: ["input"],
        properties: {
          input: { description: "The input of the call.", type: "object" },
          description: text("What the call illustrates."),
        },
      }),
    } as SchemaOf<readonly SpecExample[]>,
    diff: "prompt",
  },
  tests: {
    schema: ((parts) => ({
      description: "Calls with their expected outcomes, run by `hasp test`. Models never see them.",
      type: "array",
      items: closed({
        required: ["input", "expect"],
        properties: {
          input: { description: "The input of the call." },
          context: {
            description: "The context of the call, for handler functions under `validate` that read it.",
            type: "object",
          },
          respond: parts.respond,
          tape: text(
            "A tape that answers the call, recorded by `hasp call --record` or `recordTape`: its path, relative to this file. Not beside `respond`.",
          ),
          expect: closed({
            description: "The expected outcome.",
            minProperties: 1,
            properties: {
              valid: flag("Whether the input is accepted."),
              invalid: {
                description: 'JSON Pointer to the rejected value, such as /query; "" is the whole input.',
                type: "string",
                pattern: "^(/([^~]|~[01])*)*$",
                "x-expected": "a JSON Pointer such as /query",
              },
              ...createExpectedSchemas(),
              output: { description: "The handler's output, exactly. Needs `respond` or `tape`." },
              error: text("Text that the message of the handler's error contains. Needs `respond` or `tape`."),
              request: parts.request,
            },
          }),
        },
      }),
    })) as SchemaOf<readonly SpecTest[]>,
    diff: { not: "they decide no call; `hasp test` runs them" },
  },
  display: {
    schema: closed({
      description: "Status messages for a call. `{field}` inserts an input field.",
      properties: {
        running: {
          description: "While the call runs.",
          type: "string",
          minLength: 1,
          examples: ["Running {query}"],
        },
        done: text("After the call succeeds."),
        failed: text("After the call fails."),
        rejected: text("After the call is denied."),
        progress: text("When the call reports progress."),
      },
    }) as SchemaOf<SpecDisplay>,
    in: ["module"],
  },
  providers: {
    schema: closed({
      description: "Settings for provider families. hasp checks them and never applies them silently.",
      properties: Object.fromEntries(
        [...familyTitles()].map(([family, titles]) => [family, ref("Provider", titles.join(" "))]),
      ),
    }) as SchemaOf<SpecProviders>,
    diff: { not: "they decide what lists carry, and `comparePrompts` compares the entries of the lists" },
  },
  origin: {
    schema: {
      description:
        "Where an imported spec came from, and what the source says about the tool. No call reads it; `hasp import` detects changes by it.",
      type: "object",
      properties: {
        suggested: {
          description:
            "The source's claims. They have no effect; `hasp approve --suggested` turns those that you accept into claims of the spec.",
          type: "object",
        },
      },
    } as SchemaOf<JsonObject & { readonly suggested?: JsonObject }>,
    diff: { not: "importers and approvals read it, and no call" },
  },
} as const;

export const SPEC_KEY_ROWS: readonly (readonly [key: string, row: SpecKey])[] = Object.entries(SPEC_KEYS);

type Keys = typeof SPEC_KEYS;

export type KeysWith<Row> = { readonly [Key in keyof Keys]: Keys[Key] extends Row ? Key : never }[keyof Keys];

/** The keys that have a comparer of their own. */
export type ComparedKey = Exclude<keyof Keys, KeysWith<{ readonly diff: unknown }>>;

export type KeysIn<To extends Reader> = {
  readonly [Key in keyof Keys]: Keys[Key] extends { readonly in: readonly (infer Place)[] }
    ? To extends Place
      ? Key
      : never
    : never;
}[keyof Keys];

type SpecValue<Key extends keyof Keys> = Keys[Key]["schema"] extends SchemaOf<infer Value> ? Value : never;

/** Lists the keys that go to a reader, in the order of the format. */
export function listKeys<To extends Reader>(reader: To): readonly KeysIn<To>[] {
  return SPEC_KEY_ROWS.flatMap(([key, row]) => (row.in?.includes(reader) === true ? [key as KeysIn<To>] : []));
}

/** The keys whose texts a model reads to choose a tool and call it, at the top of a spec and under `visibility`. */
export const PROMPT_TEXTS: readonly string[] = [...listKeys("prompt"), "searchHint"];

function familyTitles(): ReadonlyMap<string, readonly string[]> {
  const titles = new Map<string, string[]>();
  for (const { family, title, variants } of Object.values(dialects)) {
    if (variants.loose === undefined) titles.set(family, [...(titles.get(family) ?? []), title]);
  }
  return titles;
}

type RequiredKey = KeysWith<{ readonly required: true }>;

/** One tool exactly as its author wrote it; `schema/tool-spec.schema.json` says the same for editors and for Ajv. */
export type ToolSpec = { readonly [Key in RequiredKey]: SpecValue<Key> } & {
  readonly [Key in Exclude<keyof typeof SPEC_KEYS, RequiredKey>]?: SpecValue<Key>;
} & { readonly [extension: `x-${string}`]: JsonValue };
