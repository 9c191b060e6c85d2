import { dialects, type JsonObject } from "@hasp/schema";
import { RESERVED_WORDS } from "../model/reserved-words.js";
import { expectedSchemas, groupSchemas, rowSchemas } from "./field-schemas.js";

/**
 * Names that no function of a handler can have: what hasp gives a meaning, what cannot be a binding, what every object
 * inherits, and `then`, which would make a promise of the handler's module.
 */
const TAKEN_FUNCTION_NAMES: readonly string[] = [
  ..."execute prepare permit isEnabled then NotExecuted undefined NaN Infinity globalThis".split(" "),
  ...RESERVED_WORDS,
  ...Object.getOwnPropertyNames(Object.prototype).toSorted(),
];

/**
 * The format of a spec, as a JSON Schema with words for newcomers. `schema/tool-spec.schema.json` is printed from it
 * for editors.
 */
export const toolSpecSchema: JsonObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "hasp tool spec",
  description:
    "One agent tool: what the model sees, what the dispatcher may do with it, what a reviewer signs off. Whatever is left out gets its strict value.",
  if: { type: "object", required: ["tools"] },
  then: { $ref: "#/$defs/ToolsFile" },
  else: { $ref: "#/$defs/ToolFile" },
  $defs: {
    ToolFile: {
      description: "One tool in a file of its own (*.tool.yaml, *.tool.yml, *.tool.json).",
      allOf: [{ $ref: "#/$defs/Tool" }],
      required: ["hasp"],
      // For whoever leaves it out: editors and diagnostics show what is said of a key where it is demanded.
      properties: { hasp: { description: "The version of this format. Begin the spec with the line `hasp: 1`." } },
    },
    ToolsFile: {
      description: "Several tools in one file (*.tools.yaml). The tools share nothing: each one states its own values.",
      type: "object",
      required: ["hasp", "tools"],
      additionalProperties: false,
      properties: {
        $schema: {
          description: "Where editors find the JSON Schema of this format; in YAML a comment may say it.",
          type: "string",
        },
        hasp: { description: "The version of this format. Always 1.", $ref: "#/$defs/FormatVersion" },
        tools: {
          description: "The tools, each written as in a file of its own.",
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
          description:
            "A field of your own. It goes to the catalogue and the manifest, never to a model or the runtime.",
        },
      },
      properties: {
        $schema: {
          description: "Where editors find the JSON Schema of this format; in YAML a comment may say it.",
          type: "string",
        },
        hasp: { description: "The version of this format. Always 1.", $ref: "#/$defs/FormatVersion" },
        name: {
          description:
            "The name under which the model calls the tool. Begins with a letter, then letters, digits, `_` and `-`, at most 64 in all. `tool_search` and names that begin with `mcp__` are taken.",
          type: "string",
          pattern: "^[A-Za-z][A-Za-z0-9_-]{0,63}$",
          "x-expected":
            'a name of letters, digits, "_" and "-" that begins with a letter and has at most 64 characters',
          examples: ["search_files", "execute_sql"],
        },
        title: {
          description: "The name that people read, in menus and permission dialogs.",
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
          "x-expected": "a text that tells the model what the tool does",
          examples: [
            "Run one SQL statement against the application database. Use it to look up or change records. Do not use it for schema migrations: use `migrate_database`.",
          ],
        },
        owner: {
          description: "The team or person that answers for the tool.",
          type: "string",
          minLength: 1,
          examples: ["data-platform"],
        },
        tags: {
          description: "Words by which toolsets select tools.",
          type: "array",
          uniqueItems: true,
          items: { type: "string", minLength: 1 },
          examples: [["database"]],
        },
        aliases: {
          description:
            "Older names under which a call still reaches the tool. Models do not see them, so they cost no tokens.",
          type: "array",
          uniqueItems: true,
          items: {
            type: "string",
            pattern: "^[A-Za-z][A-Za-z0-9_-]{0,63}$",
            "x-expected":
              'a name of letters, digits, "_" and "-" that begins with a letter and has at most 64 characters',
          },
          examples: [["run_sql"]],
        },
        searchHint: {
          description: "Words by which `tool_search` finds a deferred tool.",
          type: "string",
          minLength: 1,
          examples: ["database sql query rows records"],
        },
        input: {
          description:
            "JSON Schema of the tool's input. `#/…` points inside this schema; definitions that several tools share live in files of their own (`./common/database.yaml#/$defs/Scope`). An object that does not say otherwise accepts no undeclared properties.",
          $ref: "#/$defs/JsonSchema",
        },
        output: {
          description: "JSON Schema of what the tool returns. Left out: any JSON value.",
          $ref: "#/$defs/JsonSchema",
        },
        concurrency: {
          description: "Whether calls of this tool may run beside other calls.",
          type: "object",
          additionalProperties: false,
          properties: {
            ...groupSchemas("concurrency"),
            rules: {
              description:
                "A decision table over the input: the first row that matches decides class and flags. Rows are milder than the tool's own values, so each is a claim that a reviewer approves.",
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
                      "The row's condition: a CEL expression over `input`. An error in it gives the strictest answer.",
                    $ref: "#/$defs/Expression",
                  },
                  custom: {
                    description:
                      "Instead of `when`, where an expression says too little: the name of a function that the handler exports.",
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
            "What a call may do. Each value that is milder than its default is a claim that a reviewer approves.",
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
              description: "Name of a feature that must be on. Off, unknown or failing: the tool does not exist.",
              type: "string",
              minLength: 1,
              examples: ["SQL_TOOLS"],
            },
          },
        },
        limits: {
          description:
            "How much one call may take. Larger values than the defaults are claims that a reviewer approves.",
          type: "object",
          additionalProperties: false,
          properties: groupSchemas("limits"),
        },
        needs: {
          description: "What the handler takes from its surroundings.",
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
              description: "Names of fields of the context that `execute` is given.",
              type: "array",
              uniqueItems: true,
              items: { type: "string", minLength: 1 },
              examples: [["accountId"]],
            },
          },
        },
        validate: {
          description:
            "Checks that a schema cannot say, made after the schema's. A call that fails one is answered with its message and not run.",
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
                description: "What the model is told when it is not.",
                type: "string",
                minLength: 1,
              },
              custom: {
                description: "Name of a function that the handler exports; it answers `true` or a message.",
                $ref: "#/$defs/FunctionName",
              },
            },
          },
        },
        examples: {
          description: "Calls that are shown to models. They must be valid.",
          type: "array",
          items: {
            type: "object",
            required: ["input"],
            additionalProperties: false,
            properties: {
              input: { description: "The input of the call.", type: "object" },
              description: { description: "What the call is an example of.", type: "string", minLength: 1 },
            },
          },
        },
        tests: {
          description: "Calls and what must come of them, run by `hasp test`. Models never see them.",
          type: "array",
          items: {
            type: "object",
            required: ["input", "expect"],
            additionalProperties: false,
            properties: {
              input: { description: "The input of the call." },
              context: {
                description:
                  "The context of the call, for checks of `validate` that are functions of the handler and read it.",
                type: "object",
              },
              expect: {
                description: "What must come of it.",
                type: "object",
                minProperties: 1,
                additionalProperties: false,
                properties: {
                  valid: { description: "Whether the input is accepted.", type: "boolean" },
                  invalid: {
                    description:
                      'JSON Pointer of the place that is refused, such as /query; "" is the input as a whole.',
                    type: "string",
                    pattern: "^(/([^~]|~[01])*)*$",
                    "x-expected": "a JSON Pointer such as /query",
                  },
                  ...expectedSchemas(),
                },
              },
            },
          },
        },
        display: {
          description: "What a screen says about a call. `{field}` stands for a field of the input.",
          type: "object",
          additionalProperties: false,
          properties: {
            running: {
              description: "While the call runs.",
              type: "string",
              minLength: 1,
              examples: ["Running {query}"],
            },
            done: { description: "When it has ended well.", type: "string", minLength: 1 },
            failed: { description: "When it has failed.", type: "string", minLength: 1 },
            rejected: { description: "When it was not allowed.", type: "string", minLength: 1 },
            progress: { description: "When it reports progress.", type: "string", minLength: 1 },
          },
        },
        providers: {
          description: "Wishes for families of providers. They are checked; none is granted silently.",
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
            "What an importer read in the source. Nothing reads it: `hasp approve --suggested` turns accepted lines into claims.",
          type: "object",
        },
        origin: {
          description: "Where an imported spec came from. `hasp import` compares with it; nothing else reads it.",
          type: "object",
        },
      },
    },
    BooleanFlag: {
      anyOf: [{ type: "boolean" }, { $ref: "#/$defs/VaryingFlag" }],
      "x-expected": "true, false, or one of { when: … }, { unless: … } and { custom: … }",
    },
    VaryingFlag: {
      description:
        "A flag that varies with the input and nothing else varies with it. An error in the condition gives the strict value.",
      type: "object",
      minProperties: 1,
      maxProperties: 1,
      additionalProperties: false,
      properties: {
        when: { description: "The flag is true when this CEL expression is.", $ref: "#/$defs/Expression" },
        unless: { description: "The flag is true unless this CEL expression is.", $ref: "#/$defs/Expression" },
        custom: {
          description: "Name of a function that the handler exports; the flag is true when it answers `true`.",
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
      "x-expected": "a name that a function of the handler can have, other than those that hasp gives a meaning",
      not: { anyOf: [{ enum: TAKEN_FUNCTION_NAMES }, { pattern: "^[A-Z].*Handler$" }] },
      examples: ["insideWorkspace"],
    },
    Provider: {
      type: "object",
      additionalProperties: false,
      properties: {
        strict: {
          description:
            "Whether the provider is asked to enforce the schema; `auto`: where no parameter and no value is lost by it.",
          enum: [true, false, "auto"],
        },
        allowNarrowing: {
          description:
            "Permit a lowered schema that takes fewer values than the spec (unrolled recursion, an open object closed by a strict mode). Left out: false.",
          type: "boolean",
        },
      },
    },
    JsonSchema: {
      description: "A JSON Schema, draft 2020-12 unless `$schema` says draft-07.",
      type: ["object", "boolean"],
      additionalProperties: false,
      patternProperties: { "^x-": { description: "An annotation of your own." } },
      properties: {
        $schema: { description: "The draft that this schema is written in.", type: "string" },
        $id: {
          description:
            "The URI of this schema. Below it, a reference to a file must lead to the same file as without it.",
          type: "string",
        },
        $ref: {
          description:
            "The schema that stands elsewhere: `#/$defs/Name` inside this schema, or `./common/file.yaml#/$defs/Name` in another file. What stands beside it applies too.",
          type: "string",
        },
        $anchor: { description: "A name for this place, so that `#name` points here.", type: "string" },
        $dynamicRef: {
          description: "A reference that the outermost `$dynamicAnchor` of this name answers.",
          type: "string",
        },
        $dynamicAnchor: { description: "A name that `$dynamicRef` looks for.", type: "string" },
        $comment: { description: "A note for readers of this schema; it goes nowhere.", type: "string" },
        $defs: {
          description: "Schemas to point at with `$ref`.",
          type: "object",
          additionalProperties: { $ref: "#/$defs/JsonSchema" },
        },
        definitions: {
          description: "The draft-07 name of `$defs`.",
          type: "object",
          additionalProperties: { $ref: "#/$defs/JsonSchema" },
        },
        type: {
          description: "What kind of value it is.",
          anyOf: [{ $ref: "#/$defs/TypeName" }, { type: "array", items: { $ref: "#/$defs/TypeName" } }],
        },
        enum: { description: "The values that are accepted.", type: "array" },
        const: { description: "The one value that is accepted." },
        minimum: { description: "The smallest number.", type: "number" },
        maximum: { description: "The largest number.", type: "number" },
        exclusiveMinimum: { description: "The number must be larger than this.", type: "number" },
        exclusiveMaximum: { description: "The number must be smaller than this.", type: "number" },
        multipleOf: { description: "The number must be a multiple of this.", type: "number", exclusiveMinimum: 0 },
        minLength: { description: "The fewest characters.", type: "integer", minimum: 0 },
        maxLength: { description: "The most characters.", type: "integer", minimum: 0 },
        pattern: { description: "A regular expression that must match somewhere in the string.", type: "string" },
        format: {
          description: "What the string stands for, such as `date-time`, `email`, `uri`, `uuid`.",
          type: "string",
        },
        contentEncoding: { description: "How bytes are written as text, such as `base64`.", type: "string" },
        contentMediaType: {
          description:
            "What the text is, such as `application/sql` or `text/x-shellscript`. A program earns no relaxation by pattern or prefix.",
          type: "string",
        },
        contentSchema: { description: "The schema of what the text holds.", $ref: "#/$defs/JsonSchema" },
        prefixItems: {
          description: "Schemas of the first items, one by one.",
          type: "array",
          items: { $ref: "#/$defs/JsonSchema" },
        },
        items: {
          description: "The schema of every item (that `prefixItems` does not describe).",
          anyOf: [{ $ref: "#/$defs/JsonSchema" }, { type: "array", items: { $ref: "#/$defs/JsonSchema" } }],
        },
        additionalItems: {
          description: "Draft-07: the schema of items after a list of `items`.",
          $ref: "#/$defs/JsonSchema",
        },
        contains: { description: "At least one item must be like this.", $ref: "#/$defs/JsonSchema" },
        minContains: { description: "How many items at least must be like `contains`.", type: "integer", minimum: 0 },
        maxContains: { description: "How many items at most may be like `contains`.", type: "integer", minimum: 0 },
        minItems: { description: "The fewest items.", type: "integer", minimum: 0 },
        maxItems: { description: "The most items.", type: "integer", minimum: 0 },
        uniqueItems: { description: "Whether no two items may be equal.", type: "boolean" },
        unevaluatedItems: {
          description: "The schema of items that nothing else describes.",
          $ref: "#/$defs/JsonSchema",
        },
        properties: {
          description: "The properties by name.",
          type: "object",
          additionalProperties: { $ref: "#/$defs/JsonSchema" },
        },
        patternProperties: {
          description: "The properties whose names match a regular expression.",
          type: "object",
          additionalProperties: { $ref: "#/$defs/JsonSchema" },
        },
        additionalProperties: {
          description:
            "The schema of properties that are not declared: false forbids them (as hasp does when nothing is said), a schema makes a typed map, true lets everything in and needs an approval.",
          $ref: "#/$defs/JsonSchema",
        },
        propertyNames: { description: "The schema of the property names.", $ref: "#/$defs/JsonSchema" },
        required: { description: "The properties that must be there.", type: "array", items: { type: "string" } },
        minProperties: { description: "The fewest properties.", type: "integer", minimum: 0 },
        maxProperties: { description: "The most properties.", type: "integer", minimum: 0 },
        dependentRequired: {
          description: "For a property: which others must be there when it is.",
          type: "object",
          additionalProperties: { type: "array", items: { type: "string" } },
        },
        dependentSchemas: {
          description: "For a property: the schema that the object must fit when it is there.",
          type: "object",
          additionalProperties: { $ref: "#/$defs/JsonSchema" },
        },
        dependencies: { description: "Draft-07: `dependentRequired` and `dependentSchemas` in one.", type: "object" },
        unevaluatedProperties: {
          description:
            "The schema of properties that nothing else describes, across `allOf`, `anyOf`, `oneOf` and `$ref`.",
          $ref: "#/$defs/JsonSchema",
        },
        allOf: { description: "Every one of these must hold.", type: "array", items: { $ref: "#/$defs/JsonSchema" } },
        anyOf: {
          description: "At least one of these must hold.",
          type: "array",
          items: { $ref: "#/$defs/JsonSchema" },
        },
        oneOf: { description: "Exactly one of these must hold.", type: "array", items: { $ref: "#/$defs/JsonSchema" } },
        not: { description: "This must not hold.", $ref: "#/$defs/JsonSchema" },
        if: { description: "If this holds, `then` must; otherwise `else`.", $ref: "#/$defs/JsonSchema" },
        then: { description: "What must hold if `if` does.", $ref: "#/$defs/JsonSchema" },
        else: { description: "What must hold if `if` does not.", $ref: "#/$defs/JsonSchema" },
        title: { description: "A short name of the value.", type: "string" },
        description: { description: "What the value means; models read it.", type: "string" },
        default: { description: "The value that is filled in when the property is absent. It must be valid." },
        examples: { description: "Values as an illustration.", type: "array" },
        deprecated: { description: "Whether the value should no longer be sent.", type: "boolean" },
        readOnly: { description: "An annotation for forms; it changes nothing here.", type: "boolean" },
        writeOnly: { description: "An annotation for forms; it changes nothing here.", type: "boolean" },
      },
    },
    TypeName: {
      description: "One of the seven types of JSON Schema.",
      enum: ["array", "boolean", "integer", "null", "number", "object", "string"],
    },
  },
};

/** The families of dialects, each with the APIs that belong to it. */
function familyTitles(): ReadonlyMap<string, readonly string[]> {
  const titles = new Map<string, string[]>();
  for (const { family, title, variants } of Object.values(dialects)) {
    if (variants.loose === undefined) titles.set(family, [...(titles.get(family) ?? []), title]);
  }
  return titles;
}
