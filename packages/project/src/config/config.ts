import type { FlowSetting } from "@hasp/runtime";
import type { DialectLimits, DialectName, JsonObject } from "@hasp/schema";
import type {
  Connections,
  Budgets,
  CustomRule,
  DiffLevels,
  ImportExtension,
  OverridePlan,
  RuleSeverities,
  ToolSelector,
} from "@hasp/compiler/model";
import type { CallStoreSetting } from "@hasp/compiler";

/** The settings of one dialect; `null` is an empty YAML value. */
export interface DialectSettings {
  readonly strict?: boolean | "auto";
  readonly onUncarried?: "error" | "exclude";
  readonly cacheControl?: JsonObject;
  readonly extra?: JsonObject;
  readonly limits?: DialectLimits;
}

/** `hasp.config.*` as its author writes it; `schema/hasp-config.schema.json` says the same for editors and for Ajv. */
export interface HaspConfig {
  readonly $schema?: string;
  readonly extends?: string | readonly string[];
  readonly specs?: readonly string[];
  readonly outDir?: string;
  readonly importExtension?: ImportExtension;
  readonly jsonLists?: boolean;
  readonly declarations?: boolean;
  readonly handlers?: string;
  readonly context?: string;
  readonly testContext?: string;
  readonly dialects?: readonly DialectName[] | { readonly [id: string]: DialectSettings | null };
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
  readonly budgets?: Budgets;
  readonly diff?: DiffLevels;
  readonly rules?: RuleSeverities;
  /** Files of the project, or packages. */
  readonly plugins?: readonly string[];
  readonly customRules?: { readonly [id: string]: CustomRule };
  readonly overrides?: readonly OverridePlan[];
  readonly ignore?: readonly { readonly rule: string; readonly path: string; readonly reason: string }[];
  readonly exclude?: readonly { readonly tool: string; readonly reason: string }[];
  readonly remotes?: { readonly [address: string]: string };
}

/** Gives a configuration in TypeScript or JavaScript its type: `export default defineConfig({ … })`. */
export function defineConfig(config: HaspConfig): HaspConfig {
  return config;
}
