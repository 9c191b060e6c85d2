import { closed, flag, ref, text } from "../model/field-schemas.js";
import { PART_NAME } from "../model/reserved-names.js";
import { type DialectLimits, dialects, type JsonObject } from "@hasp/schema";
import { mapMembers } from "@hasp/base/json";
import { deviceName } from "../typescript/names.js";
import { connectionDefinitions } from "./handler-definitions.js";
import type { KindFormats } from "../model/handlers.js";

/** The limits that a project may lower. */
const LIMITS = {
  tools: "Tools of a request, without deferred ones.",
  deferredTools: "Deferred tools of a request.",
  strictTools: "Strict tools of a request.",
  depth: "Levels of nesting in a schema.",
  properties: "Properties of a schema.",
  enumValues: "Listed values of a schema.",
  nameAndValueLength: "Characters of names and listed values in a schema.",
} satisfies { readonly [name in keyof DialectLimits]?: string };

/** Keys of earlier versions, each with what takes its place. */
export const EARLIER_KEYS: { readonly [key: string]: string } = {
  rules: "findings: [{ rule: <id>, severity: <severity> }]",
  overrides: "findings: [{ in: <path>, rule: <id>, severity: <severity> }]",
  ignore: "findings: [{ in: <path>, rule: <id>, reason: <text> }]",
  exclude: "findings: [{ in: <tool>, severity: exclude, reason: <text> }]",
  customRules: "rules: in a file such as ./hasp-plugins/rules.yaml, which plugins: names",
  importExtension: "emit: { importExtension: <js or ts> }",
  jsonLists: "emit: { jsonLists: true }",
  declarations: "emit: { declarations: true }",
  testContext: "context: { type: <file#type>, test: <file#export> }",
};

const PLACE = ref("Path", "A file, folder or glob, as in a .gitignore. Default: every file.");

/** Describes an entry of `findings` that must have these keys. */
function findingSetting(own: JsonObject, ...others: readonly string[]): JsonObject {
  const severity = {
    description: "The severity of the findings; exclude leaves a tool out.",
    enum: ["error", "warning", "info", "off", "exclude"],
  };
  return closed({
    required: [...Object.keys(own), ...others],
    properties: {
      ...(own["rule"] !== undefined && { in: PLACE }),
      ...own,
      severity,
      reason: {
        ...text("Why the severity differs, the finding is accepted, or the tool is left out."),
        pattern: "\\S",
        "x-expected": "a reason in words",
      },
    },
  });
}

function partId(kind: string, own: readonly string[]): JsonObject {
  return {
    description: `A ${kind} of hasp's, or of a plugin.`,
    if: { type: "string", pattern: "/" },
    then: { pattern: PART_NAME, "x-expected": `the name of a plugin's ${kind}, such as acme/x` },
    else: { enum: own },
  };
}

/** Creates the configuration format as a JSON Schema, with descriptions for newcomers. */
export function createConfigSchema(kinds: readonly KindFormats[], clients: readonly string[]): JsonObject {
  const connectionSchemas: JsonObject = Object.fromEntries(
    kinds.flatMap(({ name, formats: { connection } }) => (connection === undefined ? [] : [[name, connection]])),
  );
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "hasp configuration",
    description: "What hasp compiles, for which providers, and where it writes. Every field is optional.",
    $ref: "#/$defs/Config",
    $defs: {
      Config: closed({
        properties: {
          $schema: {
            description: "Location of this format's JSON Schema, for editors. In YAML, a comment can state it instead.",
            type: "string",
          },
          extends: {
            description:
              "One or more presets that this configuration extends: a file (./strict.yaml) relative to this one, or an installed package (@acme/hasp-preset). A preset may set extends, severities of rules under findings, plugins (with code only if the preset is in the project), budgets and dialects. This configuration overrides its presets, and later presets override earlier ones. No preset can switch off the rules that enforce hasp's guarantees.",
            anyOf: [
              { $ref: "#/$defs/Preset" },
              { type: "array", minItems: 1, uniqueItems: true, items: { $ref: "#/$defs/Preset" } },
            ],
            "x-expected": "a file such as ./strict.yaml, the name of a package, or a list of them",
            examples: ["./presets/strict.yaml", ["@acme/hasp-preset", "./strict.yaml"]],
          },
          specs: {
            description:
              "Where the specs are: folders (searched recursively), files or globs, relative to this file. Default: the whole project.",
            type: "array",
            minItems: 1,
            items: { $ref: "#/$defs/Path" },
            examples: [["specs"], ["packages/*/specs"]],
          },
          outDir: ref("Path", "The folder that only hasp writes to. Default: src/generated."),
          emit: closed({
            description: "The form of the generated files.",
            properties: {
              importExtension: {
                description:
                  "The extension of relative imports in generated code and new handlers. ts is for programs that run without a compiler, such as Node's own type stripping and Deno, and for TypeScript's options allowImportingTsExtensions or rewriteRelativeImportExtensions. Default: js.",
                enum: ["js", "ts"],
              },
              jsonLists: flag(
                "Also write each provider's list as JSON, for programs in other languages: providers/<dialect>.json below outDir. Default: false.",
              ),
              bundle: flag(
                "Also write each toolset as data, for programs in other languages: bundle.json with schemas, metadata, conditions, lists and decoders. Default: false.",
              ),
              namespaces: {
                description:
                  "Groups the tools of lists for OpenAI's Responses API into namespaces: by toolset, or by their first tag. Default: no namespaces.",
                enum: ["toolset", "tag"],
              },
              declarations: flag(
                "Also write what a model reads before it writes a program: declarations.d.ts, with one function for each tool. Default: false.",
              ),
            },
            examples: [{ jsonLists: true }],
          }),
          handlers: ref(
            "Path",
            "The folder of your handlers; hasp creates a stub there for each tool without a handler. Default: src/tools.",
          ),
          context: {
            description:
              "The type of the context that every handler receives: a file and an exported type. `hasp call` and `hasp serve` create a context with the function `createContext` of that file, unless `--context` selects another. With `--auth`, one that takes a caller (`{ principal, toolsets }`) is called for each call. Or a map: the type, and a context for tests.",
            if: { type: "object" },
            then: closed({
              minProperties: 1,
              properties: {
                type: ref("ContextType", "The type of the context."),
                test: {
                  description:
                    "A context for `hasp test`, or a function that creates one: a file and an export name. Handler functions under `validate` receive it if a test has no `context`.",
                  type: "string",
                  pattern: "^[^#]+#[A-Za-z_$][A-Za-z0-9_$]*$",
                  "x-expected": "a file and a name, such as ./src/test-context.ts#testContext",
                },
              },
            }),
            else: { $ref: "#/$defs/ContextType" },
            examples: [
              "./src/context.ts#AgentContext",
              { type: "./src/context.ts#AgentContext", test: "./src/test-context.ts#testContext" },
            ],
          },
          dialects: {
            description:
              "The provider dialects to generate lists for, as a list, or as a map with settings for each. Default: anthropic, openai-responses, gemini-json-schema and mcp.",
            if: { type: "array" },
            then: { minItems: 1, uniqueItems: true, items: { $ref: "#/$defs/DialectId" } },
            else: { $ref: "#/$defs/DialectMap" },
            examples: [
              ["anthropic", "openai-responses"],
              { "openai-responses": { strict: "auto", onUncarried: "exclude" } },
            ],
          },
          clients: {
            description:
              "The clients of MCP servers that will read the lists: the rule providers/mcp-client warns about what they refuse, cut or drop. Default: none.",
            type: "array",
            uniqueItems: true,
            items: { $ref: "#/$defs/ClientId" },
            examples: [["vscode", "claude-code", "cursor"]],
          },
          flow: ref(
            "Flow",
            "What happens when private data may leave because an outsider asked for it. ask: a person decides about such a call. note: results are labelled, nobody is asked, and `check` says what may leave. off: nothing. Default: note.",
          ),
          toolsets: {
            description:
              'Named selections of the project\'s tools, each with its own lists. Default: one toolset, "all", with every tool.',
            type: "object",
            minProperties: 1,
            propertyNames: { $ref: "#/$defs/ToolsetName" },
            additionalProperties: closed({
              properties: {
                include: {
                  description: "The tools to include. Default: every tool.",
                  type: "array",
                  items: { $ref: "#/$defs/Selector" },
                },
                exclude: {
                  description: "The tools to exclude; overrides `include`.",
                  type: "array",
                  items: { $ref: "#/$defs/Selector" },
                },
                partial: flag(
                  "True to shorten a list that exceeds a provider's limit on a whole request: it holds the tools that fit, and the build names the others. Tools are admitted in this order: `load: always`, then `normal`, then `deferred`; by name in each. Default: false, and such a list is an error.",
                ),
                policy: {
                  description:
                    "The file that says which of its calls run, are asked about or are refused. hasp compiles it to a module and checks its tests and approvals.",
                  $ref: "#/$defs/Path",
                  examples: ["policies/support.yaml"],
                },
                flow: ref("Flow", "The `flow` of this toolset. Default: that of the configuration."),
              },
            }),
            examples: [{ support: { include: [{ tag: "support" }, "get_job"], exclude: ["refund"] } }],
          },
          connections: {
            description:
              "What the handlers of specs connect to (`handler.http`, `handler.sql`, `handler.mcp`), by name. Secrets stand here by reference only.",
            type: "object",
            propertyNames: { $ref: "#/$defs/ConnectionName" },
            additionalProperties: { $ref: "#/$defs/Connection" },
            examples: [
              {
                "orders-api": {
                  http: { baseUrl: "https://api.example.com", auth: { bearer: { env: "ORDERS_TOKEN" } } },
                },
              },
            ],
          },
          callStore: {
            description:
              "Where the host keeps its calls (`durableCalls({ store })`), for `hasp calls`, and where `hasp serve` keeps its own: a folder, a Postgres database whose address an environment variable holds, or a store of your own.",
            $ref: "#/$defs/CallStore",
            examples: [{ files: ".hasp/calls" }, { postgres: { env: "DATABASE_URL" } }],
          },
          serve: closed({
            description: "What `hasp serve` tells its clients.",
            properties: {
              instructions: text("How a model uses the tools together, for clients to add to its prompt."),
            },
            examples: [{ instructions: "Find an order before you change it." }],
          }),
          budgets: closed({
            description: "Maximum tokens that the lists may cost in every request.",
            properties: {
              toolTokens: { description: "For one tool.", type: "integer", minimum: 1 },
              toolsetTokens: {
                description: "For all tools of a toolset that are not deferred.",
                type: "integer",
                minimum: 1,
              },
              alwaysLoadedTokens: {
                description: "For the always-loaded tools of a toolset in which others are deferred.",
                type: "integer",
                minimum: 1,
              },
              exact: flag(
                "Count with the o200k tokenizer instead of estimating; the project must install gpt-tokenizer. Same as `--exact`. Default: false.",
              ),
            },
          }),
          diff: closed({
            description:
              "Severity of `hasp diff` findings, by list; errors fail. Default: each finding's own severity. A lowered severity takes effect from the next change on.",
            properties: {
              breaks: ref("Severity", "Formerly valid calls are refused, or tools are gone."),
              mayBreak: ref("Severity", "The same, neither proved nor shown by an example."),
              loosens: ref("Severity", "New claims, milder values, wider rules, self-approved entries."),
              mayLoosen: ref("Severity", "The same, neither proved nor shown by an example."),
              prompt: ref("Severity", "What models read and providers receive."),
            },
            examples: [{ mayBreak: "warning" }],
          }),
          approvals: closed({
            description: "How `hasp ci --base` makes sure that somebody else saw what a change adds to the ledger.",
            properties: {
              verify: {
                description:
                  "signed-commits: git knows the key that signed the commit. codeowners: a code owner approved the pull request on GitHub. Default: nothing is verified.",
                enum: ["signed-commits", "codeowners"],
              },
            },
            examples: [{ verify: "signed-commits" }],
          }),
          findings: {
            description:
              "What to do about findings. An entry with a severity sets that of a rule, everywhere or `in` some files; an entry with `in` overrides one without, and a later entry an earlier one. An entry without a severity accepts the findings of a rule in some files, with a reason; one that suppresses nothing is an error. Severity exclude leaves a tool out of the build, with a reason. Rules that enforce hasp's guarantees cannot be changed.",
            type: "array",
            items: { $ref: "#/$defs/FindingSetting" },
            examples: [
              [
                { rule: "description/when-not-to-use", severity: "error" },
                { in: "specs/legacy", rule: "naming/vague-name", reason: "renamed in spring" },
                { in: "refund", severity: "exclude", reason: "waits for the new ledger API" },
              ],
            ],
          },
          plugins: {
            description:
              "Plugins that add rules, emitters, importers and reporters: files of the project (./hasp-plugins/owner.ts) or installed packages (@acme/hasp-plugin). Their code runs; install only plugins that you trust. A file of YAML or JSON declares rules only, under `rules`, by id: it is data, and a preset may name it, too.",
            type: "array",
            uniqueItems: true,
            items: { $ref: "#/$defs/Preset" },
            examples: [["./hasp-plugins/owner.ts", "./hasp-plugins/rules.yaml", "@acme/hasp-plugin"]],
          },
          remotes: {
            description:
              "Remote schemas that a `$ref` may use: the sha256 of their content, by https URL. `hasp build --pin` fetches them and stores their texts in `hasp-remotes/`; every other command reads those and uses no network. A stored text with another sha256 is refused.",
            type: "object",
            propertyNames: { $ref: "#/$defs/RemoteAddress" },
            additionalProperties: { $ref: "#/$defs/Digest" },
          },
        },
      }),
      FindingSetting: {
        if: { required: ["severity"] },
        then: {
          if: { properties: { severity: { description: "Leaves a tool out.", const: "exclude" } } },
          then: findingSetting({ in: text("The name of the tool to leave out.") }, "severity", "reason"),
          else: findingSetting({ rule: text("The rule's id.") }, "severity"),
        },
        else: findingSetting({ in: PLACE, rule: text("The rule's id.") }, "reason"),
      },
      ContextType: {
        type: "string",
        pattern: "^[^#]+#[A-Za-z_$][A-Za-z0-9_$]*$",
        "x-expected": "a file and a type name, such as ./src/context.ts#AgentContext",
      },
      RuleFile: closed({
        description: "Rules in YAML or JSON, which a configuration or a preset names under `plugins`.",
        required: ["rules"],
        properties: {
          rules: {
            description:
              "Your own rules, by id: each checks one field of every spec, parameter or schema. Severities, suppressions and every report treat them like hasp's rules.",
            type: "object",
            propertyNames: { $ref: "#/$defs/OwnName" },
            additionalProperties: { $ref: "#/$defs/CustomRule" },
            examples: [
              {
                "acme/owner": {
                  on: "spec",
                  field: "owner",
                  matches: "^team-",
                  message: "Name the team that owns the tool, such as team-payments.",
                },
              },
            ],
          },
        },
      }),
      OwnName: {
        type: "string",
        pattern: PART_NAME,
        "x-expected": "a name with a prefix of your own, such as acme/owner",
      },
      CustomRule: closed({
        required: ["on", "field", "message"],
        anyOf: ["required", "forbidden", "matches", "oneOf", "minLength", "maxLength", "minimum", "maximum"].map(
          (check) => ({ required: [check] }),
        ),
        "x-expected":
          "a rule with at least one check: required, forbidden, matches, oneOf, minLength, maxLength, minimum or maximum",
        properties: {
          on: {
            description:
              "The objects that it checks: spec (each spec), parameter (each property in the input, at any depth) or schema (each schema of input and output).",
            enum: ["spec", "parameter", "schema"],
          },
          field: {
            description:
              "The key that it checks, with dots for keys inside: owner, limits.timeoutSeconds, x-team. For a parameter, `name` is its name.",
            type: "string",
            pattern: "^[^.]+(?:\\.[^.]+)*$",
          },
          required: flag(
            "Whether the field must be there. Default: true with matches, oneOf, minLength or minimum, else false.",
          ),
          forbidden: { description: "The field must not be there.", const: true },
          matches: {
            description:
              "A regular expression that matches somewhere in the text, as in JSON Schema. It must run in linear time. In a list, each item must match.",
            type: "string",
          },
          oneOf: {
            description: "The values that are allowed; in a list, for each item.",
            type: "array",
            minItems: 1,
            items: { type: ["string", "number", "boolean"] },
          },
          minLength: { description: "Fewest characters, or items of a list.", type: "integer", minimum: 0 },
          maxLength: { description: "Most characters, or items of a list.", type: "integer", minimum: 0 },
          minimum: { description: "The smallest number.", type: "number" },
          maximum: { description: "The largest number.", type: "number" },
          severity: ref("Severity", "Default: error."),
          message: text("What is wrong and what to do, in a sentence."),
          why: text("The reason, which `hasp show` prints. Default: the message."),
        },
      }),
      Connection: closed({
        minProperties: 1,
        maxProperties: 1,
        "x-expected": `an object with exactly one of ${Object.keys(connectionSchemas).join(", ")}`,
        properties: connectionSchemas,
      }),
      ConnectionName: {
        type: "string",
        pattern: "^[A-Za-z][A-Za-z0-9_-]{0,63}$",
        "x-expected": 'a name of letters, digits, "_" and "-" that starts with a letter',
      },
      ...connectionDefinitions,
      CallStore: closed({
        minProperties: 1,
        maxProperties: 1,
        "x-expected": "an object with exactly one of files, postgres, module",
        properties: {
          files: ref("Path", "The folder of `fileCallStore`."),
          module: {
            description:
              "A module of yours and the export that is a call store, or the function that creates one. Default of the export: createCallStore.",
            type: "string",
            pattern: "^(?!/|[A-Za-z]:|.*\\\\)[^#]+(?:#[A-Za-z_$][A-Za-z0-9_$]*)?$",
            "x-expected": "a path relative to this file and an export, such as ./src/calls.ts#createCallStore",
          },
          postgres: closed({
            description: "The database of `postgresCallStore`.",
            required: ["env"],
            properties: {
              env: {
                description: "The environment variable that holds its address.",
                type: "string",
                pattern: "^[A-Za-z_][A-Za-z0-9_]*$",
                "x-expected": "the name of an environment variable, such as DATABASE_URL",
              },
            },
          }),
        },
      }),
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
        "x-expected": "a file relative to this one, such as ./strict.yaml, or a package name",
      },
      DialectId: partId("dialect", Object.keys(dialects)),
      ClientId: partId("client", clients),
      DialectMap: closed({
        minProperties: 1,
        properties: Object.fromEntries(
          Object.values(dialects).map(({ id, title }) => [id, ref("DialectSettings", title)]),
        ),
        patternProperties: { [PART_NAME]: { $ref: "#/$defs/DialectSettings" } },
      }),
      DialectSettings: {
        description: "Settings for this dialect; {} for the defaults.",
        type: ["object", "null"],
        additionalProperties: false,
        properties: {
          strict: {
            description:
              "Whether to ask the provider to enforce the schemas of tools that do not set it themselves; auto: if nothing is lost. Default: false, or true for a dialect that ends in -strict.",
            enum: [true, false, "auto"],
          },
          onUncarried: {
            description:
              "What to do with a tool that the dialect cannot express: fail the build (error), or leave it out of the list with a warning (exclude). Default: error, or exclude for a dialect that ends in -strict.",
            enum: ["error", "exclude"],
          },
          cacheControl: {
            description: "Anthropic's prompt caching marker for the list.",
            type: "object",
            examples: [{ type: "ephemeral" }],
          },
          extra: {
            description: "Additional provider-specific fields for the list.",
            type: "object",
          },
          examples: {
            description:
              "How examples reach the model: in the API's field where it has one, else the first of at most 300 characters in words (words); only in such a field (field); or not at all (off). Default: words.",
            enum: ["words", "field", "off"],
          },
          limits: {
            description: "Limits below the dialect's own, as a gateway may have.",
            ...closed({
              properties: mapMembers(LIMITS, (description) => ({ description, type: "integer", minimum: 1 })),
            }),
          },
        },
      },
      Flow: { enum: ["off", "note", "ask"] },
      ToolsetName: {
        type: "string",
        // Windows has no folders with the names of its devices.
        pattern: `^(?!${deviceName.source.slice(1)})[a-z][a-z0-9-]{0,63}$`,
        "x-expected":
          'a name of lower-case letters, digits and "-" that starts with a letter, and is no device name of Windows such as con',
      },
      Selector: {
        anyOf: [
          text("The name of a tool, in which `*` stands for any characters."),
          ...(
            [
              ["tag", "Every tool with this tag."],
              ["owner", "Every tool of this owner."],
              ["folder", "Every tool whose spec is in this folder, or below it."],
            ] as const
          ).map(([key, description]) => ({
            type: "object" as const,
            required: [key],
            additionalProperties: false,
            properties: { [key]: text(description) },
          })),
        ],
        "x-expected": "a tool name, { tag: … }, { owner: … } or { folder: … }",
      },
      Severity: { enum: ["error", "warning", "info"] },
      RemoteAddress: {
        type: "string",
        pattern: "^https://",
        "x-expected": "an https URL",
      },
      Digest: {
        type: "string",
        pattern: "^[0-9a-f]{64}$",
        "x-expected": "the sha256 of the content, 64 hexadecimal digits",
      },
    },
  };
}
