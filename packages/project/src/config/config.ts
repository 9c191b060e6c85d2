import type { Severity } from "@hasp/base/diagnostics";
import type { FlowSetting } from "@hasp/runtime";
import type { DialectLimits, DialectName, JsonObject } from "@hasp/schema";
import type {
  ApprovalProof,
  Connections,
  Budgets,
  DiffLevels,
  ImportExtension,
  ToolSelector,
} from "@hasp/compiler/model";
import type { CallStoreSetting } from "@hasp/compiler";

/** The settings of one dialect; `null` is an empty YAML value. */
export interface DialectSettings {
  readonly strict?: boolean | "auto";
  readonly onUncarried?: "error" | "exclude";
  readonly cacheControl?: JsonObject;
  readonly extra?: JsonObject;
  readonly examples?: "words" | "field" | "off";
  readonly limits?: DialectLimits;
}

/** The severity of a rule, a finding that is accepted, or a tool that is left out. */
export interface FindingSetting {
  /** A path or glob; with the severity `exclude`, the name of a tool. */
  readonly in?: string;
  readonly rule?: string;
  readonly severity?: Severity | "off" | "exclude";
  readonly reason?: string;
}

/** `hasp.config.*` as its author writes it; `schema/hasp-config.schema.json` says the same for editors and for Ajv. */
export interface HaspConfig {
  readonly $schema?: string;
  readonly extends?: string | readonly string[];
  readonly specs?: readonly string[];
  readonly outDir?: string;
  readonly emit?: {
    readonly importExtension?: ImportExtension;
    readonly jsonLists?: boolean;
    readonly declarations?: boolean;
    readonly bundle?: boolean;
    readonly namespaces?: "toolset" | "tag";
  };
  readonly handlers?: string;
  readonly context?: string | { readonly type?: string; readonly test?: string };
  readonly dialects?: readonly DialectName[] | { readonly [id: string]: DialectSettings | null };
  readonly clients?: readonly string[];
  readonly flow?: FlowSetting;
  readonly toolsets?: {
    readonly [name: string]: {
      readonly include?: readonly ToolSelector[];
      readonly exclude?: readonly ToolSelector[];
      readonly partial?: boolean;
      readonly policy?: string;
      readonly flow?: FlowSetting;
    };
  };
  readonly connections?: Connections;
  readonly callStore?: CallStoreSetting;
  readonly serve?: { readonly instructions?: string };
  readonly budgets?: Budgets;
  readonly diff?: DiffLevels;
  readonly approvals?: { readonly verify?: ApprovalProof };
  readonly findings?: readonly FindingSetting[];
  /** Files of the project, or packages. */
  readonly plugins?: readonly string[];
  readonly remotes?: { readonly [address: string]: string };
}

/** Gives a configuration in TypeScript or JavaScript its type: `export default defineConfig({ … })`. */
export function defineConfig(config: HaspConfig): HaspConfig {
  return config;
}
