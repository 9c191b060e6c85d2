import { dialects, type JsonObject } from "@hasp/schema";

/**
 * The format of the configuration, as a JSON Schema with words for newcomers. `schema/hasp-config.schema.json` is
 * printed from it for editors.
 */
export const haspConfigSchema: JsonObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "hasp configuration",
  description: "What hasp compiles, for whom, and where to. Every field may be left out.",
  $ref: "#/$defs/Config",
  $defs: {
    Config: {
      type: "object",
      additionalProperties: false,
      properties: {
        $schema: {
          description: "Where editors find the JSON Schema of this format; in YAML a comment may say it.",
          type: "string",
        },
        extends: {
          description:
            "Presets that this configuration builds on: a file (./strict.yaml) relative to this one, or an installed package (@acme/hasp-preset), one or a list. A preset may say extends, rules, budgets and dialects; what stands here goes before it, and in a list the later before the earlier. No preset can switch off what keeps the promise of hasp.",
          anyOf: [
            { $ref: "#/$defs/Preset" },
            { type: "array", minItems: 1, uniqueItems: true, items: { $ref: "#/$defs/Preset" } },
          ],
          "x-expected": "a file such as ./strict.yaml, the name of a package, or a list of them",
          examples: ["./presets/strict.yaml", ["@acme/hasp-preset", "./strict.yaml"]],
        },
        specs: {
          description:
            "Where the specs are: folders (searched to the bottom), files or globs, relative to this file. Left out: the whole project.",
          type: "array",
          minItems: 1,
          items: { $ref: "#/$defs/Path" },
          examples: [["specs"], ["packages/*/specs"]],
        },
        outDir: {
          description: "The folder that hasp writes, and nobody else. Left out: src/generated.",
          $ref: "#/$defs/Path",
        },
        handlers: {
          description:
            "The folder of your handlers; hasp puts a stub there for a tool that has none. Left out: src/tools.",
          $ref: "#/$defs/Path",
        },
        context: {
          description:
            "The type of the context that every handler is given: a file and the name that it exports. `hasp call` and `hasp serve` have one made by the function `createContext` of that file, unless `--context` names another.",
          type: "string",
          pattern: "^[^#]+#[A-Za-z_$][A-Za-z0-9_$]*$",
          "x-expected": "a file and a type's name, such as ./src/context.ts#AgentContext",
          examples: ["./src/context.ts#AgentContext"],
        },
        testContext: {
          description:
            "A context for `hasp test`, or a function that makes one: a file and the name that it exports. Checks of `validate` that are functions of a handler are given it where a test brings no context of its own.",
          type: "string",
          pattern: "^[^#]+#[A-Za-z_$][A-Za-z0-9_$]*$",
          "x-expected": "a file and a name, such as ./src/test-context.ts#testContext",
          examples: ["./src/test-context.ts#testContext"],
        },
        dialects: {
          description:
            "The providers' dialects that lists are made for, as a list, or as a map with settings for each. Left out: anthropic, openai-responses, gemini-json-schema and mcp.",
          if: { type: "array" },
          then: { minItems: 1, uniqueItems: true, items: { $ref: "#/$defs/DialectId" } },
          else: { $ref: "#/$defs/DialectMap" },
          examples: [
            ["anthropic", "openai-responses"],
            { "openai-responses": { strict: "auto", onUncarried: "exclude" } },
          ],
        },
        toolsets: {
          description:
            'Selections of the project\'s tools by name, each with lists of its own. Left out: one, "all", with every tool.',
          type: "object",
          minProperties: 1,
          propertyNames: { $ref: "#/$defs/ToolsetName" },
          additionalProperties: {
            type: "object",
            additionalProperties: false,
            properties: {
              include: {
                description: "The tools that are in. Left out: every tool.",
                type: "array",
                items: { $ref: "#/$defs/Selector" },
              },
              exclude: {
                description: "The tools that are out, whatever `include` says.",
                type: "array",
                items: { $ref: "#/$defs/Selector" },
              },
            },
          },
          examples: [{ support: { include: [{ tag: "support" }, "get_job"], exclude: ["refund"] } }],
        },
        budgets: {
          description: "How many tokens the lists may cost in every request.",
          type: "object",
          additionalProperties: false,
          properties: {
            toolTokens: { description: "For one tool.", type: "integer", minimum: 1 },
            toolsetTokens: {
              description: "For all tools of one toolset that are not deferred.",
              type: "integer",
              minimum: 1,
            },
            alwaysLoadedTokens: {
              description: "For the tools of one toolset that are always loaded, where others are deferred.",
              type: "integer",
              minimum: 1,
            },
            exact: {
              description:
                "Count with the tokenizer o200k instead of estimating; the project installs gpt-tokenizer. `--exact` asks for the same. Left out: false.",
              type: "boolean",
            },
          },
        },
        diff: {
          description:
            "How severe what `hasp diff` finds is, list by list; errors fail. Left out: each finding's own severity. A level that a change lowers counts from the next change on.",
          type: "object",
          additionalProperties: false,
          properties: {
            breaks: { description: "Calls that were valid are refused, tools are gone.", $ref: "#/$defs/Severity" },
            mayBreak: { description: "The same, where it is neither proved nor shown.", $ref: "#/$defs/Severity" },
            loosens: {
              description: "Claims, milder values, wider rules, self-approved entries.",
              $ref: "#/$defs/Severity",
            },
            mayLoosen: { description: "The same, where it is neither proved nor shown.", $ref: "#/$defs/Severity" },
            prompt: { description: "What a model reads and a provider is sent.", $ref: "#/$defs/Severity" },
          },
          examples: [{ mayBreak: "warning" }],
        },
        rules: {
          description:
            "Severities that differ from a rule's own, by rule id. Rules that keep the promise of hasp cannot be changed.",
          type: "object",
          additionalProperties: { $ref: "#/$defs/RuleSeverity" },
          examples: [{ "description/when-not-to-use": "error" }],
        },
        overrides: {
          description:
            "Severities for some files only. Where several entries cover a file, the last that names the rule decides. A path that covers no file of the project is an error.",
          type: "array",
          items: {
            type: "object",
            required: ["path", "rules"],
            additionalProperties: false,
            properties: {
              path: { description: "The file or folder, or a glob, as in a .gitignore.", $ref: "#/$defs/Path" },
              rules: {
                description: "Severities by rule id, as under `rules`.",
                type: "object",
                minProperties: 1,
                additionalProperties: { $ref: "#/$defs/RuleSeverity" },
              },
            },
          },
          examples: [[{ path: "specs/legacy", rules: { "naming/vague-name": "info" } }]],
        },
        ignore: {
          description: "Findings that are accepted, each with the reason. One that suppresses nothing is an error.",
          type: "array",
          items: {
            type: "object",
            required: ["rule", "path", "reason"],
            additionalProperties: false,
            properties: {
              rule: { description: "The rule's id.", type: "string", minLength: 1 },
              path: { description: "The file or folder, or a glob, as in a .gitignore.", $ref: "#/$defs/Path" },
              reason: { description: "Why the finding is accepted.", type: "string", minLength: 1 },
            },
          },
        },
        remotes: {
          description:
            "Remote schemas that a `$ref` may lead to: the sha256 of their text, by https address. Whatever is not pinned is not fetched.",
          type: "object",
          propertyNames: { $ref: "#/$defs/RemoteAddress" },
          additionalProperties: { $ref: "#/$defs/Digest" },
        },
      },
    },
    Path: {
      type: "string",
      minLength: 1,
      pattern: "^(?!/|[A-Za-z]:|.*\\\\)",
      "x-expected": "a path relative to this file, with forward slashes",
    },
    Preset: {
      type: "string",
      minLength: 1,
      pattern: "^(?!/|[A-Za-z]:|.*\\\\)",
      "x-expected": "a file relative to this one, such as ./strict.yaml, or the name of a package",
    },
    DialectId: { enum: Object.keys(dialects) },
    DialectMap: {
      type: "object",
      minProperties: 1,
      additionalProperties: false,
      properties: Object.fromEntries(
        Object.values(dialects).map(({ id, title }) => [id, { description: title, $ref: "#/$defs/DialectSettings" }]),
      ),
    },
    DialectSettings: {
      description: "How this dialect treats tools; {} for the defaults.",
      type: ["object", "null"],
      additionalProperties: false,
      properties: {
        strict: {
          description:
            "Whether the provider is asked to enforce the schemas of tools that say nothing themselves; auto: where nothing is lost by it. Left out: false, and true for a dialect that ends in -strict.",
          enum: [true, false, "auto"],
        },
        onUncarried: {
          description:
            "What becomes of a tool that the dialect cannot carry: the build fails (error), or the tool is left out of the list with a warning (exclude). Left out: error, and exclude for a dialect that ends in -strict.",
          enum: ["error", "exclude"],
        },
        cacheControl: {
          description: "Anthropic's mark for prompt caching, put on the list.",
          type: "object",
          examples: [{ type: "ephemeral" }],
        },
        extra: {
          description: "Further fields for the list, in the provider's own words.",
          type: "object",
        },
      },
    },
    ToolsetName: {
      type: "string",
      pattern: "^[a-z][a-z0-9-]{0,63}$",
      "x-expected": 'a name of small letters, digits and "-" that begins with a letter',
    },
    Selector: {
      anyOf: [
        { description: "The name of a tool.", type: "string", minLength: 1 },
        {
          type: "object",
          required: ["tag"],
          additionalProperties: false,
          properties: { tag: { description: "Every tool with this tag.", type: "string", minLength: 1 } },
        },
      ],
      "x-expected": "a tool's name, or { tag: … }",
    },
    Severity: { enum: ["error", "warning", "info"] },
    RuleSeverity: { enum: ["error", "warning", "info", "off"] },
    RemoteAddress: {
      type: "string",
      pattern: "^https://",
      "x-expected": "an https address",
    },
    Digest: {
      type: "string",
      pattern: "^[0-9a-f]{64}$",
      "x-expected": "the sha256 of the text, 64 hexadecimal digits",
    },
  },
};
