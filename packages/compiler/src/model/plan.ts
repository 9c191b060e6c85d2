import type { FlowSetting } from "@hasp/runtime";
import type { DialectLimits, DialectName, JsonObject, Severity } from "@hasp/schema";
import type { PluginDialect } from "./dialect.js";
import type { Location } from "@hasp/base/diagnostics";
import type { Connections, PluginHandlerKind } from "./handlers.js";

export interface DialectPlan {
  readonly id: DialectName;
  /** The facts about a dialect of a plugin. */
  readonly foreign?: PluginDialect;
  /** Default for tools that do not set `strict`. */
  readonly strict: boolean | "auto";
  /** The fate of a tool that the dialect cannot carry: the build fails, or the tool is left out with a warning. */
  readonly onUncarried: "error" | "exclude";
  /** Provider fields for the list (`cacheControl`, …) in the provider's own words. */
  readonly extra?: JsonObject;
  /** The way in which examples reach the model: in the API's field, else in words, or nowhere. Default: words. */
  readonly examples?: "words" | "field" | "off";
  /** Limits below the dialect's own, as a gateway may have. */
  readonly limits?: DialectLimits;
}

/** A fact with its public source: `owner/repository#number`. */
interface Fact {
  /** The client's answer to a list that breaks the rule, as the rest of a sentence about it. */
  readonly effect: string;
  readonly source: string;
  /** The day on which the source last said so. */
  readonly date: string;
}

/** One client of MCP servers, and what it does not take. */
export interface Client {
  readonly id: string;
  readonly title: string;
  readonly facts: ClientFacts;
}

/** The rules of a client. It takes everything that they do not name, as far as is known. */
export interface ClientFacts {
  /** The length of the name that a model reads: `{server}` and `{tool}` in `form` stand for names. */
  readonly nameLength?: Fact & { readonly form: string; readonly most: number };
  /** The class of characters in names, such as `[A-Za-z0-9_-]`. */
  readonly nameCharacters?: Fact & { readonly only: string };
  /** The characters of a description that a model reads. */
  readonly descriptionLength?: Fact & { readonly most: number };
  /** The tools of all servers together. */
  readonly tools?: Fact & { readonly most: number };
  /** Each array says what its items are. */
  readonly arrayItems?: Fact;
  /** No output schema refers to itself. */
  readonly outputRecursion?: Fact;
}

export type ToolSelector = string | { readonly tag: string } | { readonly owner: string } | { readonly folder: string };

export interface ToolsetPlan {
  readonly name: string;
  readonly include: readonly ToolSelector[] | "all";
  readonly exclude: readonly ToolSelector[];
  /** Lists hold the tools that fit into one request; otherwise a list that exceeds a limit is an error. Default: false. */
  readonly partial?: boolean;
  readonly policy?: string | undefined;
  /** Default: `DEFAULT_FLOW`. */
  readonly flow?: FlowSetting;
}

/** Severities that differ from the rules' own, by rule id; `off` suppresses a rule that may be suppressed. */
export interface RuleSeverities {
  readonly [id: string]: Severity | "off";
}

/** A rule as reports and `hasp show` show it: plain data. */
export interface RuleFacts {
  /** `group/name`, or `plugin/name`. */
  readonly id: string;
  /** `off` for a rule that a project must ask for. */
  readonly severity: Severity | "off";
  /** One sentence: the requirement. */
  readonly summary: string;
  /** One paragraph: the harm otherwise. */
  readonly why: string;
  readonly examples: {
    readonly bad: readonly { readonly spec: string }[];
    readonly good: readonly (string | { readonly spec: string })[];
  };
}

/** A plugin that the configuration names, as it describes itself. */
export interface PluginPlan {
  readonly name: string;
  readonly module: string;
  /** Digest of everything that it loads from the project, or of its package. */
  readonly digest: string;
  readonly rules: readonly RuleFacts[];
  readonly dialects: readonly PluginDialect[];
  readonly clients: readonly Client[];
  readonly handlerKinds: readonly PluginHandlerKind[];
  readonly emitters: readonly string[];
  readonly importers: readonly string[];
  readonly reporters: readonly string[];
  readonly location?: Location;
}

/** A rule that a file of rules declares: a check of one field of each spec, parameter or schema. */
export interface CustomRule {
  readonly on: "spec" | "parameter" | "schema";
  /** Keys joined by dots, such as `limits.timeoutSeconds`. */
  readonly field: string;
  /** Default: true where the rule asks for a value, a length or a minimum. */
  readonly required?: boolean;
  readonly forbidden?: true;
  readonly matches?: string;
  readonly oneOf?: readonly (string | number | boolean)[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Default: error. */
  readonly severity?: Severity;
  readonly message: string;
  readonly why?: string;
}

/** Severities that hold in a folder or file only; where several cover a file, the last that names the rule decides. */
interface OverridePlan {
  readonly path: string;
  readonly rules: RuleSeverities;
}

export interface IgnorePlan {
  readonly rule: string;
  readonly path: string;
  readonly reason: string;
}

export interface ExclusionPlan {
  readonly tool: string;
  readonly reason: string;
}

export interface Budgets {
  readonly toolTokens?: number;
  readonly toolsetTokens?: number;
  /** For the tools of a toolset that are always loaded. */
  readonly alwaysLoadedTokens?: number;
  /** True to count with the tokenizer o200k instead of estimating. */
  readonly exact?: boolean;
}

/** The proof that somebody else has seen an approval: a good signature of its commit, or a code owner's review. */
export type ApprovalProof = "signed-commits" | "codeowners";

/** The severities of a comparison's findings, list by list. A list that is absent keeps its declared severity. */
export interface DiffLevels {
  readonly breaks?: Severity;
  readonly mayBreak?: Severity;
  readonly loosens?: Severity;
  readonly mayLoosen?: Severity;
  readonly prompt?: Severity;
}

/** The extension of relative imports in generated code and in stubs. `ts` needs no compiler to run. */
export type ImportExtension = "js" | "ts";

/** Everything that `compile` must know besides the sources. Paths are relative to the project's root, with `/`. */
export interface CompilePlan {
  readonly outDir: string;
  readonly handlersDir: string;
  /** Default: js. */
  readonly importExtension?: ImportExtension;
  /** True to also write each provider's list as JSON. Default: false. */
  readonly jsonLists?: boolean;
  /** True to also write the declarations that programs are written against. Default: false. */
  readonly declarations?: boolean;
  /** True to also write each toolset as data, for programs in other languages. Default: false. */
  readonly bundle?: boolean;
  /** The namespaces into which lists for OpenAI's Responses API are divided. Default: none. */
  readonly namespaces?: "toolset" | "tag";
  /** The type of execute's context, `./src/context.ts#AgentContext` split in two. */
  readonly context?: { readonly file: string; readonly type: string };
  /** The names of that type's members, where its module lists them all and some spec may name one. */
  readonly contextMembers?: readonly string[];
  /** The export that creates a context for `hasp test`, split likewise. */
  readonly testContext?: { readonly file: string; readonly name: string };
  readonly dialects: readonly DialectPlan[];
  /** The clients of MCP servers that lists are checked against. */
  readonly clients?: readonly Client[];
  /** The name under which clients know the server of the tools. */
  readonly server?: string;
  /** True if that server runs already and sends its schemas as they are. */
  readonly isServed?: boolean;
  readonly toolsets: readonly ToolsetPlan[];
  readonly connections?: Connections;
  /** The text by which `hasp serve` tells clients how the tools are used together. */
  readonly instructions?: string;
  readonly budgets: Budgets;
  readonly diff?: DiffLevels;
  readonly approvals?: { readonly verify?: ApprovalProof };
  readonly rules: RuleSeverities;
  readonly customRules?: { readonly [id: string]: CustomRule };
  readonly plugins?: readonly PluginPlan[];
  readonly overrides: readonly OverridePlan[];
  readonly ignore: readonly IgnorePlan[];
  readonly exclude: readonly ExclusionPlan[];
  /** True to go on without approvals, with a warning and marks in manifest and registry. */
  readonly unlocked: boolean;
  /** Today as `YYYY-MM-DD`, against which ledger entries expire. It is an input so that compiling is pure. */
  readonly today: string;
  readonly stubTemplates?: StubTemplates;
  /** Digests of the configuration and of the presets that it builds on, by path; empty without such files. */
  readonly configDigests?: { readonly [path: string]: string };
  /** Digests of handlers by file, for claims that rest on a custom function and for rules about handlers. */
  readonly handlerDigests: { readonly [path: string]: HandlerDigest };
  /** The files of the repository that the commands of declared handlers name, by tool. `handlerDigests` has their digests. */
  readonly commandFiles?: { readonly [tool: string]: readonly string[] };
  /** The packages that calls through `connections` load and that the project cannot import. */
  readonly missingPeers?: readonly string[];
  /** The locations of settings in the configuration, by JSON Pointer into it or this plan, for findings about a setting. */
  readonly locations?: { readonly [pointer: string]: Location };
}

/** A configuration in its final form, for reading and compiling the project. */
export interface ProjectPlan {
  readonly plan: CompilePlan;
  readonly specs: readonly string[];
  /** Pinned remote schemas: sha256 by address. */
  readonly remotes: ReadonlyMap<string, string>;
  readonly callStore?: CallStoreSetting;
  /** The plugins that it names, which are not loaded yet. */
  readonly plugins: readonly NamedPlugin[];
}

/**
 * The location of a call store: a folder, a Postgres database whose address an environment variable holds, or `file#export`,
 * a store of the project's own or the function that creates it.
 */
export type CallStoreSetting =
  | { readonly files: string }
  | { readonly postgres: { readonly env: string } }
  | { readonly module: string };

export interface NamedPlugin {
  readonly module: string;
  readonly location?: Location;
}

export interface HandlerDigest {
  /** The digest of its file and of everything in the project that it imports. */
  readonly digest: string;
  readonly own: string;
  /** The reason why no approval can cover everything that it runs, such as a computed import. */
  readonly obstacle?: string;
  /** True if its code runs the work elsewhere, by `isolate` of `@hasp/handlers/isolation`. */
  readonly isolates?: true;
  readonly marksRetryable?: true;
}

/** The project's own templates of a handler's stub. If one is omitted, hasp's own applies. */
export interface StubTemplates {
  readonly handler?: string;
  readonly customFunction?: string;
}
