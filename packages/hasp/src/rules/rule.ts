import type { Severity } from "@hasp/schema";
import type { Location } from "../diagnostics/diagnostic.js";
import type { CompilePlan } from "../model/plan.js";
import type { FlatTool } from "../model/tool.js";

/** The groups in which rules are documented. The first cannot be silenced. */
export type RuleGroup = "fail-closed" | "safety" | "schema" | "description" | "naming" | "size" | "providers" | "supply-chain";

/** What a rule looks at: every tool of the project, one by one or together. */
export interface RuleSubject {
  readonly tools: readonly FlatTool[];
  readonly plan: CompilePlan;
}

/** The messages of a rule by name, each with typed parameters. */
// The parameter lists differ from message to message; `never` makes any of them assignable.
export type RuleMessages = { readonly [name: string]: (parameters: never) => string };

/** How a rule tells what it found. */
export type Report<Messages extends RuleMessages> = <Name extends keyof Messages & string>(
  name: Name,
  at: { readonly tool?: FlatTool; readonly location: Location; readonly help?: string },
  ...parameters: Parameters<Messages[Name]>
) => void;

/** One rule: reason, messages, examples and check together. The examples are its tests and its page. */
export interface Rule<Messages extends RuleMessages = RuleMessages> {
  /** `group/name`. */
  readonly id: string;
  readonly group: RuleGroup;
  readonly severity: Severity;
  /** One sentence: what must be so. */
  readonly summary: string;
  /** A short paragraph: what goes wrong otherwise. */
  readonly why: string;
  readonly messages: Messages;
  /** Whole specs as YAML; `bad` ones name the messages they must draw. */
  readonly examples: {
    readonly bad: readonly { readonly spec: string; readonly reports: readonly (keyof Messages & string)[] }[];
    readonly good: readonly string[];
  };
  check(subject: RuleSubject, report: Report<Messages>): void;
}
