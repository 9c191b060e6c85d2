import { closed, flag, ref, text } from "../model/field-schemas.js";
import type { JsonObject } from "@hasp/schema";
import { declarationDefinitions } from "./handler-definitions.js";
import { PART_NAME, RESERVED_WORDS } from "../model/reserved-names.js";
import { SPEC_KEY_ROWS, type SchemaParts } from "../model/spec-keys.js";
import { createHandlerSchema, createTestSchema } from "./handler-schema.js";
import type { KindFormats } from "../model/handlers.js";

const TYPE_NAMES = ["array", "boolean", "integer", "null", "number", "object", "string"];

/** Names that no handler function can have; `then` would make the handler's module a thenable. */
const TAKEN_FUNCTION_NAMES: readonly string[] = [
  ..."execute prepare permit isEnabled then NotExecuted undefined NaN Infinity globalThis".split(" "),
  ...RESERVED_WORDS,
  ...Object.getOwnPropertyNames(Object.prototype).toSorted(),
];

/** Creates the spec format as a JSON Schema, with descriptions for newcomers. `others` matches names of further kinds. */
export function createToolSpecSchema(kinds: readonly KindFormats[], others: string = PART_NAME): JsonObject {
  const parts: SchemaParts = {
    handler: createHandlerSchema(kinds, others),
    respond: createTestSchema(kinds, "respond"),
    request: createTestSchema(kinds, "request"),
  };
  return {
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
      ToolsFile: closed({
        description:
          "A file with several tools (*.tools.yaml). The tools share nothing: each one states its own values.",
        required: ["hasp", "tools"],
        properties: {
          $schema: {
            description: "Location of this format's JSON Schema, for editors. In YAML, a comment can state it instead.",
            type: "string",
          },
          hasp: ref("FormatVersion", "The version of this format. Always 1."),
          tools: {
            description: "The tools, each written as in a single-tool file.",
            type: "array",
            items: { $ref: "#/$defs/Tool" },
          },
        },
      }),
      FormatVersion: { const: 1 },
      Tool: closed({
        required: SPEC_KEY_ROWS.flatMap(([key, { required }]) => (required === true ? [key] : [])),
        patternProperties: {
          "^x-": {
            description: "A custom field. It goes to the catalogue and the manifest, never to a model or the runtime.",
          },
        },
        properties: Object.fromEntries(
          SPEC_KEY_ROWS.map(([key, { schema }]) => [key, typeof schema === "function" ? schema(parts) : schema]),
        ),
      }),
      ...declarationDefinitions,
      ...Object.assign({}, ...kinds.map(({ formats }) => formats.definitions)),
      BooleanFlag: {
        anyOf: [{ type: "boolean" }, { $ref: "#/$defs/VaryingFlag" }],
        "x-expected": "true, false, or one of { when: … }, { unless: … } and { custom: … }",
      },
      VaryingFlag: closed({
        description: "A flag that varies with the input on its own. If the condition fails, the strict value applies.",
        minProperties: 1,
        maxProperties: 1,
        properties: {
          when: ref("Expression", "The flag is true when this CEL expression is."),
          unless: ref("Expression", "The flag is true unless this CEL expression is."),
          custom: ref(
            "FunctionName",
            "Name of a function that the handler exports; the flag is true when it returns `true`.",
          ),
        },
      }),
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
      Provider: closed({
        properties: {
          strict: {
            description:
              "Opts the tool out of the strict mode, in which a provider enforces the schema. The configuration says which dialects use it.",
            const: false,
            "x-expected": "false: a tool may only opt out; set `strict` of the dialect in the configuration",
          },
          allowNarrowing: flag(
            "Permit a lowered schema that accepts fewer values than the spec (unrolled recursion, an open object closed by a strict mode). Default: false.",
          ),
        },
      }),
      FreeText: closed({
        description: "The text that a free-text tool takes.",
        required: ["type"],
        patternProperties: { "^x-": { description: "A custom annotation." } },
        properties: {
          type: { description: "The input is one text.", const: "string" },
          description: { description: "What the text is, for the model.", type: "string" },
          minLength: { description: "Minimum number of characters.", type: "integer", minimum: 0 },
          maxLength: { description: "Maximum number of characters.", type: "integer", minimum: 0 },
          format: closed({
            description: "The grammar of the text. OpenAI enforces it; hasp checks texts against a `regex`.",
            required: ["grammar", "definition"],
            properties: {
              grammar: {
                description: "The language of the grammar: Lark's, or a regular expression of Rust for the whole text.",
                enum: ["lark", "regex"],
              },
              definition: text("The grammar itself."),
            },
          }),
          contentMediaType: { description: "The media type of the text, such as `application/sql`.", type: "string" },
          writeOnly: flag("Marks the text as secret: questions, records and telemetry leave it out."),
          $comment: { description: "A note for readers of this schema; it is not emitted.", type: "string" },
        },
      }),
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
            "x-expected": `${TYPE_NAMES.join(", ")}, or a list of these`,
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
          contentSchema: ref("JsonSchema", "The schema of the decoded content."),
          prefixItems: {
            description: "Schemas of the first items, by position.",
            type: "array",
            items: { $ref: "#/$defs/JsonSchema" },
          },
          items: {
            description: "The schema of every item that `prefixItems` does not cover.",
            anyOf: [{ $ref: "#/$defs/JsonSchema" }, { type: "array", items: { $ref: "#/$defs/JsonSchema" } }],
            "x-expected": "a JSON Schema, or a list of them",
          },
          additionalItems: ref("JsonSchema", "Draft-07: the schema of items beyond an `items` list."),
          contains: ref("JsonSchema", "At least one item must match this schema."),
          minContains: { description: "Minimum number of items that match `contains`.", type: "integer", minimum: 0 },
          maxContains: { description: "Maximum number of items that match `contains`.", type: "integer", minimum: 0 },
          minItems: { description: "Minimum number of items.", type: "integer", minimum: 0 },
          maxItems: { description: "Maximum number of items.", type: "integer", minimum: 0 },
          uniqueItems: flag("Whether all items must be different."),
          unevaluatedItems: ref("JsonSchema", "The schema of items that no other keyword covers."),
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
          additionalProperties: ref(
            "JsonSchema",
            "The schema of undeclared properties: false forbids them (hasp's default), a schema makes a typed map, true accepts everything and needs an approval.",
          ),
          propertyNames: ref("JsonSchema", "The schema of the property names."),
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
          dependencies: {
            description: "Draft-07: `dependentRequired` and `dependentSchemas` combined.",
            type: "object",
          },
          unevaluatedProperties: ref(
            "JsonSchema",
            "The schema of properties that nothing else covers, across `allOf`, `anyOf`, `oneOf` and `$ref`.",
          ),
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
          not: ref("JsonSchema", "This must not match."),
          if: ref("JsonSchema", "If this matches, `then` must match too; otherwise `else`."),
          then: ref("JsonSchema", "What must match if `if` does."),
          else: ref("JsonSchema", "What must match if `if` does not."),
          title: { description: "A short name of the value.", type: "string" },
          description: { description: "What the value means, for the model.", type: "string" },
          default: {
            description:
              "The value for an absent property. With the defaults of all that it leaves out, it must be valid.",
          },
          examples: { description: "Example values.", type: "array" },
          deprecated: flag("Whether callers should stop sending the value."),
          readOnly: flag("An annotation for forms; it has no effect in hasp."),
          writeOnly: flag("Marks the value as secret: questions, records and telemetry leave it out."),
        },
      },
      TypeName: {
        description: "One of the seven JSON Schema types.",
        enum: TYPE_NAMES,
      },
    },
  };
}
