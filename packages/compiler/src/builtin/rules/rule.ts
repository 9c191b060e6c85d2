import type { MessageValues, TemplateParameters } from "@hasp/schema/internal/diagnostics";
import type { Diagnostic, Location } from "../../diagnostics/diagnostic.js";
import type { LoadedDocument } from "../../model/document.js";
import type { CompilePlan, HandlerDigest } from "../../model/plan.js";
import type { RuleFacts } from "../../model/plan.js";
import type { SchemaNode } from "../../model/schema-nodes.js";
import type { FlatTool } from "../../model/tool.js";
import type { Parameter } from "./reading/parameters.js";
import type { ToolText } from "./reading/texts.js";

/** The groups in which rules are documented. The first cannot be suppressed. */
export const RULE_GROUPS = [
  "fail-closed",
  "safety",
  "schema",
  "description",
  "naming",
  "size",
  "providers",
  "supply-chain",
] as const;

/** One of {@link RULE_GROUPS}. */
export type RuleGroup = (typeof RULE_GROUPS)[number];

/** Returns the group of a rule: the first part of its id, or the name of its plugin. */
export function groupName({ id }: Pick<Rule, "id">): string {
  return id.slice(0, id.indexOf("/"));
}

/** True for a rule that enforces a guarantee of hasp, so that nobody may suppress or downgrade it. */
export function isFixedRule(rule: Pick<Rule, "id">): boolean {
  return groupName(rule) === "fail-closed";
}

/**
 * The part of the plan that rules may look at. Findings are reused while it stays the same, so no rule may ask for
 * anything else, such as the date.
 */
export type RulePlan = Pick<
  CompilePlan,
  "dialects" | "toolsets" | "budgets" | "outDir" | "handlersDir" | "contextMembers"
>;

/** Everything that a project rule checks. */
export interface CheckedProject<Reading = never> {
  readonly tools: readonly FlatTool[];
  /** Every file of the project, for rules about what no tool uses. */
  readonly documents: readonly LoadedDocument[];
  /** Digests of the code of handlers, by the names of their tools. */
  readonly handlers: ReadonlyMap<string, HandlerDigest>;
  /** Returns what `readTool` of this rule read from a tool. */
  readingOf(tool: FlatTool): Reading;
}

/** The message templates of a rule, by name; their placeholders give the parameters. */
export type RuleMessages = { readonly [name: string]: string };

/** The location of a finding and what accompanies its message. */
export interface FindingContext {
  /** The tool of the finding. A rule that is given one tool need not name it. */
  readonly tool?: FlatTool;
  readonly location: Location;
  readonly help?: string;
  readonly related?: Diagnostic["related"];
  readonly needsAllSpecs?: true;
  /** The fix, set only where there is exactly one. It may remove text that has no effect and never adds any. */
  readonly fix?: Diagnostic["fix"];
}

type ReportParameters<Template extends string> = string extends Template
  ? readonly [parameters?: MessageValues]
  : unknown extends TemplateParameters<Template>
    ? readonly []
    : readonly [parameters: TemplateParameters<Template>];

/** Reports a finding of a rule. */
export type Report<Messages extends RuleMessages> = <Name extends keyof Messages & string>(
  name: Name,
  at: FindingContext,
  ...parameters: ReportParameters<Messages[Name]>
) => void;

/** Everything that a rule is given beside what it checks. */
export interface RuleContext<Messages extends RuleMessages> {
  readonly plan: RulePlan;
  readonly report: Report<Messages>;
}

/** A spec that a rule finds fault with, and the messages that it must draw. */
export interface BadExample<Name extends string = string> {
  /** A whole spec as YAML, or a file with `tools:`. */
  readonly spec: string;
  readonly reports: readonly Name[];
  /** Settings that the example needs; others have their defaults. */
  readonly plan?: Partial<CompilePlan>;
}

/** A spec that a rule finds no fault with. */
export interface GoodExample {
  readonly spec: string;
  readonly plan?: Partial<CompilePlan>;
}

/** The parts that every rule has: reason, messages and examples. The examples are its tests and its page. */
interface RuleDeclaration<Messages extends RuleMessages> extends RuleFacts {
  readonly messages: Messages;
  readonly examples: {
    readonly bad: readonly BadExample<keyof Messages & string>[];
    readonly good: readonly (string | GoodExample)[];
  };
}

/** A rule about each tool by itself. Its findings depend on that tool and the plan only. */
export interface ToolRule<Messages extends RuleMessages = RuleMessages> extends RuleDeclaration<Messages> {
  checkTool(tool: FlatTool, context: RuleContext<Messages>): void;
}

/** A rule about the schemas and texts of each tool. All such rules share one walk over a tool. */
export interface VisitorRule<Messages extends RuleMessages = RuleMessages> extends RuleDeclaration<Messages> {
  /** Checks what there is to check before the walk, and says what to do on it. */
  visitTool(tool: FlatTool, context: RuleContext<Messages>): ToolVisitor;
}

/** A rule that compares tools, or checks files. */
export interface ProjectRule<
  Messages extends RuleMessages = RuleMessages,
  Reading = never,
> extends RuleDeclaration<Messages> {
  /**
   * Reads what {@link checkProject} needs of a tool's schemas and texts: plain data, which later checks reuse while the
   * tool stays the same.
   */
  readTool?(tool: FlatTool, texts: readonly ToolText[]): Reading;
  checkProject(project: CheckedProject<Reading>, context: RuleContext<Messages>): void;
}

/** One rule. It may check both each tool and the project. */
export type Rule<Messages extends RuleMessages = RuleMessages, Reading = never> =
  ToolRule<Messages> | VisitorRule<Messages> | ProjectRule<Messages, Reading>;

/** The checks of a rule on the walk over a tool; outer schemas come before those inside them. */
export interface ToolVisitor {
  /** Each schema of the input. */
  input?(node: SchemaNode): void;
  /** Each property in the input, at any depth. */
  parameter?(parameter: Parameter): void;
  /** Each schema of the output. */
  output?(node: SchemaNode): void;
  /** Each text and each key of the spec and of the flat schemas. */
  text?(text: ToolText): void;
  /** Called once, after everything else. */
  end?(): void;
}

/** Ties a rule's messages to its reports and examples, and forgets them, so that rules of all kinds fit one list. */
export function defineRule<const Messages extends RuleMessages, Reading = never>(rule: Rule<Messages, Reading>): Rule {
  // A rule reports only messages of its own; that tie is what the parameter's type has just checked.
  return rule as unknown as Rule;
}
