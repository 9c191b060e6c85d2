import { findOrAdd } from "@hasp/base/json";
import type { MessageValues, TemplateParameters, Diagnostic, Location } from "@hasp/base/diagnostics";
import type { LoadedDocument } from "../model/document.js";
import type { CompilePlan, HandlerDigest, RuleFacts } from "../model/plan.js";
import type { SchemaNode } from "../model/schemas.js";
import type { FlatTool } from "../model/tool.js";
import type { ToolText } from "./texts.js";

/** The settings that rules may read. The date is not among them: a finding holds on every day. */
export type RulePlan = Pick<
  CompilePlan,
  "dialects" | "clients" | "server" | "isServed" | "toolsets" | "budgets" | "outDir" | "handlersDir" | "contextMembers"
>;

export interface CheckedProject<Reading = never> {
  readonly tools: readonly FlatTool[];
  /** All files of the project, for rules about unused things. */
  readonly documents: readonly LoadedDocument[];
  readonly handlers: ReadonlyMap<string, HandlerDigest>;
  readingOf(tool: FlatTool): Reading;
}

export type RuleMessages = { readonly [name: string]: string };

/** A finding's location and context. */
export interface FindingContext {
  readonly tool?: FlatTool;
  readonly location: Location;
  readonly help?: string;
  readonly related?: Diagnostic["related"];
  readonly needsAllSpecs?: true;
  /** The facts of the message, for programs. */
  readonly data?: Diagnostic["data"];
  /** The fix, if there is exactly one. It may only remove text that has no effect. */
  readonly fix?: Diagnostic["fix"];
}

type ReportParameters<Template extends string> = string extends Template
  ? readonly [parameters?: MessageValues]
  : unknown extends TemplateParameters<Template>
    ? readonly []
    : readonly [parameters: TemplateParameters<Template>];

export type Report<Messages extends RuleMessages> = <Name extends keyof Messages & string>(
  name: Name,
  at: FindingContext,
  ...parameters: ReportParameters<Messages[Name]>
) => void;

/** A rule's input besides the subject of its check. */
export interface RuleContext<Messages extends RuleMessages> {
  readonly plan: RulePlan;
  readonly report: Report<Messages>;
}

/** A spec that a rule must report, and the messages. */
export interface BadExample<Name extends string = string> {
  readonly spec: string;
  readonly reports: readonly Name[];
  readonly plan?: Partial<CompilePlan>;
}

/** A spec that a rule must not report. */
interface GoodExample {
  readonly spec: string;
  readonly plan?: Partial<CompilePlan>;
}

/** The reason, messages and examples of a rule. The examples are its tests and its page. */
interface RuleDeclaration<Messages extends RuleMessages> extends RuleFacts {
  readonly messages: Messages;
  readonly examples: {
    readonly bad: readonly BadExample<keyof Messages & string>[];
    readonly good: readonly (string | GoodExample)[];
  };
}

/** A rule about single tools. Its findings depend on the tool and the plan only. */
export interface ToolRule<Messages extends RuleMessages = RuleMessages> extends RuleDeclaration<Messages> {
  checkTool(tool: FlatTool, context: RuleContext<Messages>): void;
}

/** A rule about the schemas and texts of single tools. All such rules share one walk. */
export interface VisitorRule<Messages extends RuleMessages = RuleMessages> extends RuleDeclaration<Messages> {
  /** Runs checks before the walk and returns those for the walk. */
  visitTool(tool: FlatTool, context: RuleContext<Messages>): ToolVisitor;
}

/** A rule that compares tools or checks files. */
export interface ProjectRule<
  Messages extends RuleMessages = RuleMessages,
  Reading = never,
> extends RuleDeclaration<Messages> {
  /** Reads what {@link checkProject} needs from a tool, as plain data. */
  readTool?(tool: FlatTool, texts: readonly ToolText[]): Reading;
  checkProject(project: CheckedProject<Reading>, context: RuleContext<Messages>): void;
}

/** A rule, which may check both single tools and the project. */
export type Rule<Messages extends RuleMessages = RuleMessages, Reading = never> =
  | ToolRule<Messages>
  | VisitorRule<Messages>
  | ProjectRule<Messages, Reading>;

/** A rule's checks on the walk; outer schemas come before inner ones. */
export interface ToolVisitor {
  input?(node: SchemaNode): void;
  parameter?(parameter: Parameter): void;
  output?(node: SchemaNode): void;
  text?(text: ToolText): void;
  end?(): void;
}

/** Ties a rule's messages to its reports and examples. */
export function defineRule<const Messages extends RuleMessages, Reading = never>(rule: Rule<Messages, Reading>): Rule {
  // The parameter's type has just checked that a rule reports only its own messages.
  return rule as unknown as Rule;
}

/** A parameter at any depth of a tool's input. */
export interface Parameter extends SchemaNode {
  readonly property: string;
  readonly description: string;
  readonly types: ReadonlySet<string>;
  readonly isRequired: boolean;
}

/** Lists the schemas that are those of properties, as parameters. */
export function listParameters(nodes: readonly SchemaNode[]): readonly Parameter[] {
  const required = new Map<SchemaNode, ReadonlySet<string>>();
  const isRequired = (name: string, holder: SchemaNode): boolean => {
    const names = findOrAdd(required, holder, () => new Set(holder.schema.required));
    return names.has(name);
  };
  return nodes.flatMap((node) => {
    const { schema, pointer, parent, keyword, isConditional, property } = node;
    if (property === undefined) return [];
    const { description = "", type } = schema;
    const types = new Set(typeof type === "string" ? [type] : type);
    const about = { schema, pointer, parent, keyword, isConditional, property, description, types };
    return [{ ...about, isRequired: parent !== undefined && isRequired(property, parent) }];
  });
}

export function isEnumerated({ schema }: Pick<Parameter, "schema">): boolean {
  return schema.enum !== undefined || Object.hasOwn(schema, "const");
}
