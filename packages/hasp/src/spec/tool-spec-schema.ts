import { dialects, type JsonObject } from "@hasp/schema";
import { declarationDefinitions } from "../handlers/base/definitions.js";
import { RESERVED_WORDS } from "../model/reserved-names.js";
import { expectedSchemas, groupSchemas, outputCheckSchema, rowSchemas } from "./field-schemas.js";
import { bindSchema, handlerSchema, requestSchema, respondSchema } from "./handler-schema.js";

/**
 * Names that no handler function can have: those with a meaning in hasp, reserved words, members that every object
 * inherits, and `then`, which would make the handler's module a thenable.
 */
const TAKEN_FUNCTION_NAMES: readonly string[] = [
  ..."execute prepare permit isEnabled then NotExecuted undefined NaN Infinity globalThis".split(" "),
  ...RESERVED_WORDS,
  ...Object.getOwnPropertyNames(Object.prototype).toSorted(),
];

/**
 * The spec format as a JSON Schema with descriptions for newcomers. `schema/tool-spec.schema.json` is generated from it
 * for editors.
 */
export const toolSpecSchema: JsonObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "hasp tool spec",
  description:
    "One agent tool: what the model sees, what the dispatcher may do with it, and what a reviewer approves. Omitted fields get their strict values.",
  if: { type: "object", required: ["tools"] },
  then: { $ref: "#/$defs/ToolsFile" },
  else: { $ref: "#/$defs/ToolFile" },
  $defs: {
    ToolFile: {
      description: "A file with one tool (*.tool.yaml, *.tool.yml, *.tool.json).",
      allOf: [{ $ref: "#/$defs/Tool" }],
      required: ["hasp"],
      // Editors and diagnostics show this description when the key is missing.
      properties: { hasp: { description: "The version of this format. Start the spec with the line `hasp: 1`." } },
    },
    ToolsFile: {
      description: "A file with several tools (*.tools.yaml). The tools share nothing: each one states its own values.",
      type: "object",
      required: ["hasp", "tools"],
      additionalProperties: false,
      properties: {
        $schema: {
          description: "Location of this format's JSON Schema, for editors. In YAML, a comment can state it instead.",
          type: "string",
        },
        hasp: { description: "The version of this format. Always 1.", $ref: "#/$defs/FormatVersion" },
        tools: {
          description: "The tools, each written as in a single-tool file.",
          type: "array",
          items: { $ref: "#/$defs/Tool" },
        },
      },
    },
    FormatVersion: { const: 1 },
    Tool: {
      type: "object",
      required: ["name", "description", "input"],
      additionalProperties: false,
      patternProperties: {
        "^x-": {
          description: "A custom field. It goes to the catalogue and the manifest, never to a model or the runtime.",
        },
      },
      properties: {
        $schema: {
          description: "Location of this format's JSON Schema, for editors. In YAML, a comment can state it instead.",
          type: "string",
        },
        hasp: { description: "The version of this format. Always 1.", $ref: "#/$defs/FormatVersion" },
        name: {
          description:
            "The name by which the model calls the tool: a letter, then letters, digits, `_` and `-`, at most 64 characters. `tool_search`, `read_result` and names that start with `mcp__` are reserved.",
          type: "string",
          pattern: "^[A-Za-z][A-Za-z0-9_-]{0,63}$",
          "x-expected":
            'a name of letters, digits, "_" and "-" that starts with a letter and has at most 64 characters',
          examples: ["search_files", "execute_sql"],
        },
        title: {
          description: "The display name in menus and permission dialogs.",
          type: "string",
          minLength: 1,
          examples: ["Execute SQL"],
        },
        description: {
          description:
            "What the model reads to decide whether to call the tool: what it does, when to use it, when not to, and what to use instead.",
          type: "string",
          minLength: 1,
          pattern: "\\S",
          "x-expected": "a string that tells the model what the tool does",
          examples: [
            "Run one SQL statement against the application database. Use it to look up or change records. Do not use it for schema migrations: use `migrate_database`.",
          ],
        },
        owner: {
          description: "The team or person responsible for the tool.",
          type: "string",
          minLength: 1,
          examples: ["data-platform"],
        },
        tags: {
          description: "Tags by which toolsets select tools.",
          type: "array",
          uniqueItems: true,
          items: { type: "string", minLength: 1 },
          examples: [["database"]],
        },
        aliases: {
          description: "Former names that still reach the tool. Models do not see them, so they cost no tokens.",
          type: "array",
          uniqueItems: true,
          items: {
            type: "string",
            pattern: "^[A-Za-z][A-Za-z0-9_-]{0,63}$",
            "x-expected":
              'a name of letters, digits, "_" and "-" that starts with a letter and has at most 64 characters',
          },
          examples: [["run_sql"]],
        },
        searchHint: {
          description: "Keywords by which `tool_search` finds a deferred tool.",
          type: "string",
          minLength: 1,
          examples: ["database sql query rows records"],
        },
        input: {
          description:
            "JSON Schema of the tool's input. `#/…` points inside this schema; definitions that several tools share live in separate files (`./common/database.yaml#/$defs/Scope`). Objects accept no undeclared properties unless they say otherwise.",
          $ref: "#/$defs/JsonSchema",
        },
        output: {
          description: "JSON Schema of what the tool returns. Default: any JSON value.",
          $ref: "#/$defs/JsonSchema",
        },
        outputCheck: outputCheckSchema,
        concurrency: {
          description: "Whether calls of this tool may run concurrently with other calls.",
          type: "object",
          additionalProperties: false,
          properties: {
            ...groupSchemas("concurrency"),
            rules: {
              description:
                "A decision table over the input: the first matching row sets the class and flags. Rows are milder than the tool's own values, so each is a claim that a reviewer must approve.",
              type: "array",
              items: {
                type: "object",
                required: ["class"],
                additionalProperties: false,
                oneOf: [{ required: ["when"] }, { required: ["custom"] }],
                "x-expected":
                  'a row with exactly one condition: "when" (an expression) or "custom" (the name of a function)',
                properties: {
                  when: {
                    description:
                      "The row's condition: a CEL expression over `input`. If it fails, the strictest values apply.",
                    $ref: "#/$defs/Expression",
                  },
                  custom: {
                    description:
                      "An alternative to `when` for conditions that CEL cannot express: the name of a function that the handler exports.",
                    $ref: "#/$defs/FunctionName",
                  },
                  ...rowSchemas(),
                },
              },
            },
          },
        },
        behavior: {
          description:
            "What a call may do. Each value that is milder than its default is a claim that a reviewer must approve.",
          type: "object",
          additionalProperties: false,
          properties: groupSchemas("behavior"),
        },
        visibility: {
          description: "When the model sees the tool.",
          type: "object",
          additionalProperties: false,
          properties: {
            ...groupSchemas("visibility"),
            featureGate: {
              description:
                "Name of a feature that must be on. If it is off, unknown or failing, the tool does not exist.",
              type: "string",
              minLength: 1,
              examples: ["SQL_TOOLS"],
            },
          },
        },
        limits: {
          description: "Limits for one call. Values above the defaults are claims that a reviewer must approve.",
          type: "object",
          additionalProperties: false,
          properties: groupSchemas("limits"),
        },
        needs: {
          description: "What the handler needs from its environment.",
          type: "object",
          additionalProperties: false,
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
              description: "Names of the context fields that `execute` uses.",
              type: "array",
              uniqueItems: true,
              items: { type: "string", minLength: 1 },
              examples: [["accountId"]],
            },
          },
        },
        handler: handlerSchema,
        bind: bindSchema,
        validate: {
          description:
            "Checks that a schema cannot express, run after schema validation. A call that fails one returns its message and does not run.",
          type: "array",
          items: {
            type: "object",
            additionalProperties: false,
            oneOf: [
              { required: ["that", "message"] },
              { required: ["custom"], not: { anyOf: [{ required: ["that"] }, { required: ["message"] }] } },
            ],
            "x-expected": "either { that, message } or { custom: <name of a function> }",
            properties: {
              that: {
                description: "What must be true: a CEL expression over `input`.",
                $ref: "#/$defs/Expression",
              },
              message: {
                description: "What the model is told if the check fails.",
                type: "string",
                minLength: 1,
              },
              custom: {
                description: "Name of a function that the handler exports; it returns `true` or a message.",
                $ref: "#/$defs/FunctionName",
              },
            },
          },
        },
        examples: {
          description: "Example calls shown to models. They must be valid.",
          type: "array",
          items: {
            type: "object",
            required: ["input"],
            additionalProperties: false,
            properties: {
              input: { description: "The input of the call.", type: "object" },
              description: { description: "What the call illustrates.", type: "string", minLength: 1 },
            },
          },
        },
        tests: {
          description: "Calls with their expected outcomes, run by `hasp test`. Models never see them.",
          type: "array",
          items: {
            type: "object",
            required: ["input", "expect"],
            additionalProperties: false,
            properties: {
              input: { description: "The input of the call." },
              context: {
                description: "The context of the call, for handler functions under `validate` that read it.",
                type: "object",
              },
              respond: respondSchema,
              expect: {
                description: "The expected outcome.",
                type: "object",
                minProperties: 1,
                additionalProperties: false,
                properties: {
                  valid: { description: "Whether the input is accepted.", type: "boolean" },
                  invalid: {
                    description: 'JSON Pointer to the rejected value, such as /query; "" is the whole input.',
                    type: "string",
                    pattern: "^(/([^~]|~[01])*)*$",
                    "x-expected": "a JSON Pointer such as /query",
                  },
                  ...expectedSchemas(),
                  output: { description: "The handler's output, exactly. Needs `respond`." },
                  error: {
                    description: "Text that the message of the handler's error contains. Needs `respond`.",
                    type: "string",
                    minLength: 1,
                  },
                  request: requestSchema,
                },
              },
            },
          },
        },
        display: {
          description: "Status messages for a call. `{field}` inserts an input field.",
          type: "object",
          additionalProperties: false,
          properties: {
            running: {
              description: "While the call runs.",
              type: "string",
              minLength: 1,
              examples: ["Running {query}"],
            },
            done: { description: "After the call succeeds.", type: "string", minLength: 1 },
            failed: { description: "After the call fails.", type: "string", minLength: 1 },
            rejected: { description: "After the call is denied.", type: "string", minLength: 1 },
            progress: { description: "When the call reports progress.", type: "string", minLength: 1 },
          },
        },
        providers: {
          description: "Settings for provider families. hasp checks them and never applies them silently.",
          type: "object",
          additionalProperties: false,
          properties: Object.fromEntries(
            [...familyTitles()].map(([family, titles]) => [
              family,
              { description: titles.join(" "), $ref: "#/$defs/Provider" },
            ]),
          ),
        },
        suggested: {
          description:
            "Hints that an importer found in the source. They have no effect; `hasp approve --suggested` turns accepted lines into claims.",
          type: "object",
        },
        origin: {
          description: "Where an imported spec came from. Only `hasp import` reads it, to detect changes.",
          type: "object",
        },
      },
    },
    ...declarationDefinitions,
    BooleanFlag: {
      anyOf: [{ type: "boolean" }, { $ref: "#/$defs/VaryingFlag" }],
      "x-expected": "true, false, or one of { when: … }, { unless: … } and { custom: … }",
    },
    VaryingFlag: {
      description: "A flag that varies with the input on its own. If the condition fails, the strict value applies.",
      type: "object",
      minProperties: 1,
      maxProperties: 1,
      additionalProperties: false,
      properties: {
        when: { description: "The flag is true when this CEL expression is.", $ref: "#/$defs/Expression" },
        unless: { description: "The flag is true unless this CEL expression is.", $ref: "#/$defs/Expression" },
        custom: {
          description: "Name of a function that the handler exports; the flag is true when it returns `true`.",
          $ref: "#/$defs/FunctionName",
        },
      },
    },
    Expression: {
      type: "string",
      minLength: 1,
      examples: ["input.mode == 'read'", "has(input.scope) && input.scope == 'scratch'"],
    },
    FunctionName: {
      type: "string",
      pattern: "^[A-Za-z_$][A-Za-z0-9_$]*$",
      "x-expected": "a valid function name that hasp does not reserve",
      not: { anyOf: [{ enum: TAKEN_FUNCTION_NAMES }, { pattern: "^[A-Z].*Handler$" }] },
      examples: ["insideWorkspace"],
    },
    Provider: {
      type: "object",
      additionalProperties: false,
      properties: {
        strict: {
          description:
            "Whether to ask the provider to enforce the schema; `auto`: if that loses no parameter and no value.",
          enum: [true, false, "auto"],
        },
        allowNarrowing: {
          description:
            "Permit a lowered schema that accepts fewer values than the spec (unrolled recursion, an open object closed by a strict mode). Default: false.",
          type: "boolean",
        },
      },
    },
    JsonSchema: {
      description: "A JSON Schema, draft 2020-12 unless `$schema` says draft-07.",
      type: ["object", "boolean"],
      additionalProperties: false,
      patternProperties: { "^x-": { description: "A custom annotation." } },
      properties: {
        $schema: { description: "The JSON Schema draft of this schema.", type: "string" },
        $id: {
          description: "The URI of this schema. It must not change which file a relative reference resolves to.",
          type: "string",
        },
        $ref: {
          description:
            "A reference to another schema: `#/$defs/Name` inside this schema, or `./common/file.yaml#/$defs/Name` in another file. Sibling keywords apply too.",
          type: "string",
        },
        $anchor: { description: "A name for this schema, so that `#name` refers to it.", type: "string" },
        $dynamicRef: {
          description: "A reference that resolves to the outermost `$dynamicAnchor` of this name.",
          type: "string",
        },
        $dynamicAnchor: { description: "A name that `$dynamicRef` resolves to.", type: "string" },
        $comment: { description: "A note for readers of this schema; it is not emitted.", type: "string" },
        $defs: {
          description: "Schemas for use with `$ref`.",
          type: "object",
          additionalProperties: { $ref: "#/$defs/JsonSchema" },
        },
        definitions: {
          description: "The draft-07 name of `$defs`.",
          type: "object",
          additionalProperties: { $ref: "#/$defs/JsonSchema" },
        },
        type: {
          description: "The type of the value.",
          anyOf: [{ $ref: "#/$defs/TypeName" }, { type: "array", items: { $ref: "#/$defs/TypeName" } }],
        },
        enum: { description: "The accepted values.", type: "array" },
        const: { description: "The only accepted value." },
        minimum: { description: "Smallest accepted number.", type: "number" },
        maximum: { description: "Largest accepted number.", type: "number" },
        exclusiveMinimum: { description: "The number must be larger than this.", type: "number" },
        exclusiveMaximum: { description: "The number must be smaller than this.", type: "number" },
        multipleOf: { description: "The number must be a multiple of this.", type: "number", exclusiveMinimum: 0 },
        minLength: { description: "Minimum number of characters.", type: "integer", minimum: 0 },
        maxLength: { description: "Maximum number of characters.", type: "integer", minimum: 0 },
        pattern: { description: "A regular expression that must match somewhere in the string.", type: "string" },
        format: {
          description: "The format of the string, such as `date-time`, `email`, `uri`, `uuid`.",
          type: "string",
        },
        contentEncoding: { description: "How bytes are encoded in the string, such as `base64`.", type: "string" },
        contentMediaType: {
          description:
            "The media type of the string, such as `application/sql` or `text/x-shellscript`. A pattern or prefix never relaxes anything for a program.",
          type: "string",
        },
        contentSchema: { description: "The schema of the decoded content.", $ref: "#/$defs/JsonSchema" },
        prefixItems: {
          description: "Schemas of the first items, by position.",
          type: "array",
          items: { $ref: "#/$defs/JsonSchema" },
        },
        items: {
          description: "The schema of every item that `prefixItems` does not cover.",
          anyOf: [{ $ref: "#/$defs/JsonSchema" }, { type: "array", items: { $ref: "#/$defs/JsonSchema" } }],
        },
        additionalItems: {
          description: "Draft-07: the schema of items beyond an `items` list.",
          $ref: "#/$defs/JsonSchema",
        },
        contains: { description: "At least one item must match this schema.", $ref: "#/$defs/JsonSchema" },
        minContains: { description: "Minimum number of items that match `contains`.", type: "integer", minimum: 0 },
        maxContains: { description: "Maximum number of items that match `contains`.", type: "integer", minimum: 0 },
        minItems: { description: "Minimum number of items.", type: "integer", minimum: 0 },
        maxItems: { description: "Maximum number of items.", type: "integer", minimum: 0 },
        uniqueItems: { description: "Whether all items must be different.", type: "boolean" },
        unevaluatedItems: {
          description: "The schema of items that no other keyword covers.",
          $ref: "#/$defs/JsonSchema",
        },
        properties: {
          description: "Schemas of properties, by name.",
          type: "object",
          additionalProperties: { $ref: "#/$defs/JsonSchema" },
        },
        patternProperties: {
          description: "Schemas of properties whose names match a regular expression.",
          type: "object",
          additionalProperties: { $ref: "#/$defs/JsonSchema" },
        },
        additionalProperties: {
          description:
            "The schema of undeclared properties: false forbids them (hasp's default), a schema makes a typed map, true accepts everything and needs an approval.",
          $ref: "#/$defs/JsonSchema",
        },
        propertyNames: { description: "The schema of the property names.", $ref: "#/$defs/JsonSchema" },
        required: { description: "The properties that must be present.", type: "array", items: { type: "string" } },
        minProperties: { description: "Minimum number of properties.", type: "integer", minimum: 0 },
        maxProperties: { description: "Maximum number of properties.", type: "integer", minimum: 0 },
        dependentRequired: {
          description: "By property: the other properties required if it is present.",
          type: "object",
          additionalProperties: { type: "array", items: { type: "string" } },
        },
        dependentSchemas: {
          description: "By property: the schema that the object must match if it is present.",
          type: "object",
          additionalProperties: { $ref: "#/$defs/JsonSchema" },
        },
        dependencies: { description: "Draft-07: `dependentRequired` and `dependentSchemas` combined.", type: "object" },
        unevaluatedProperties: {
          description:
            "The schema of properties that nothing else covers, across `allOf`, `anyOf`, `oneOf` and `$ref`.",
          $ref: "#/$defs/JsonSchema",
        },
        allOf: { description: "All of these must match.", type: "array", items: { $ref: "#/$defs/JsonSchema" } },
        anyOf: {
          description: "At least one of these must match.",
          type: "array",
          items: { $ref: "#/$defs/JsonSchema" },
        },
        oneOf: {
          description: "Exactly one of these must match.",
          type: "array",
          items: { $ref: "#/$defs/JsonSchema" },
        },
        not: { description: "This must not match.", $ref: "#/$defs/JsonSchema" },
        if: { description: "If this matches, `then` must match too; otherwise `else`.", $ref: "#/$defs/JsonSchema" },
        then: { description: "What must match if `if` does.", $ref: "#/$defs/JsonSchema" },
        else: { description: "What must match if `if` does not.", $ref: "#/$defs/JsonSchema" },
        title: { description: "A short name of the value.", type: "string" },
        description: { description: "What the value means, for the model.", type: "string" },
        default: { description: "The value for an absent property. It must be valid." },
        examples: { description: "Example values.", type: "array" },
        deprecated: { description: "Whether callers should stop sending the value.", type: "boolean" },
        readOnly: { description: "An annotation for forms; it has no effect in hasp.", type: "boolean" },
        writeOnly: { description: "An annotation for forms; it has no effect in hasp.", type: "boolean" },
      },
    },
    TypeName: {
      description: "One of the seven JSON Schema types.",
      enum: ["array", "boolean", "integer", "null", "number", "object", "string"],
    },
  },
};

/** Returns the dialect families, each with its APIs. */
function familyTitles(): ReadonlyMap<string, readonly string[]> {
  const titles = new Map<string, string[]>();
  for (const { family, title, variants } of Object.values(dialects)) {
    if (variants.loose === undefined) titles.set(family, [...(titles.get(family) ?? []), title]);
  }
  return titles;
}
