import type { DiagnosticDeclarations, DiagnosticFactory, DiagnosticParameters } from "@hasp/base/diagnostics";
import type { JsonObject } from "@hasp/schema";
import type { Effect, KindFormats, SpecBind } from "../model/handlers.js";
import type { CompilePlan } from "../model/plan.js";
import type { FlatTool } from "../model/tool.js";
import type { Code } from "../typescript/code.js";
import type { RecordedCall } from "./expected-call.js";
import type { ValueReference } from "./references.js";

export type HandlerPlan = Pick<
  CompilePlan,
  "connections" | "context" | "contextMembers" | "locations" | "missingPeers" | "plugins"
>;

/** Reports a finding at a JSON Pointer inside a declaration; `span` is part of a string there, in UTF-16 units. */
export type ReportHandler<Findings extends DiagnosticDeclarations> = <Name extends keyof Findings & string>(
  name: Name,
  at: string,
  parameters: DiagnosticParameters<Findings[Name]>,
  span?: { readonly start: number; readonly end: number },
) => void;

/** Makes a reporter of findings, which a kind declares itself. */
export type ReportWith = <Findings extends DiagnosticDeclarations>(
  diagnostics: DiagnosticFactory<Findings>,
) => ReportHandler<Findings>;

export type ReportConnection = <Findings extends DiagnosticDeclarations, Name extends keyof Findings & string>(
  diagnostics: DiagnosticFactory<Findings>,
  name: Name,
  parameters: DiagnosticParameters<Findings[Name]>,
) => void;

export type DeclaringTool = Pick<FlatTool, "name" | "spec" | "input">;

/** Imported names by module specifier; `type X` imports a type. */
export interface ModuleImports {
  readonly [from: string]: readonly string[];
}

export interface GeneratedModule {
  readonly imports: ModuleImports;
  readonly comment: string;
  readonly value: Code;
}

/** A connection's module: it calls a function of the runtime with settings. */
export interface ConnectionModule {
  readonly from: string;
  readonly create: string;
  readonly type: string;
  /** The type argument of `create` and `type`; empty if the connection does not read the context. */
  readonly argument: Code;
  readonly settings: Code;
  readonly imports: ModuleImports;
  readonly comment: string;
}

export interface ModuleSubject {
  readonly tool: FlatTool;
  readonly types: Code;
  readonly connection: Code;
  readonly plan: Pick<CompilePlan, "plugins">;
}

export interface ConnectionSubject {
  readonly name: string;
  /** The context's type argument, for settings that name one of its members. */
  readonly contextType: Code;
}

export interface ExpectedSubject {
  readonly tool: FlatTool;
  /** The call that creates the connection, if the declaration names one. */
  readonly connection: RecordedCall | undefined;
  readonly plan: Pick<CompilePlan, "plugins">;
}

export type ModuleScope = Readonly<Record<string, unknown>>;

/** Receives what a handler sends, as data. */
export type RecordRequest = (request: object) => void;

/** The means to answer calls of a kind as a test states. */
export interface StatedAnswer {
  /** The entry that generated code imports. */
  readonly entry: string;
  /** Returns the entry's functions, with stubs for those that would reach the outside world. */
  replace(functions: ModuleScope, respond: JsonObject, record: RecordRequest): ModuleScope;
}

/** One way to declare a handler: the schemas of what a spec says, and the code that reads it, loaded on demand. */
export interface HandlerKind extends KindFormats {
  /** Loads the code of the kind. Called once a spec declares the kind or a connection has it. */
  load(): Promise<HandlerKindParts>;
}

/** The code of a handler kind: what a declaration proves, what is wrong with it, and what it becomes. */
export interface HandlerKindParts<Declaration extends object = JsonObject> {
  /** Present if the handler receives the input as it is: with the bound values, or `unbound`. */
  readonly takesWholeInput?: true | "unbound";
  /** Returns every value that a declaration takes from the input, the context or `bind`, in textual order. */
  references(declaration: Declaration, bind: SpecBind): readonly ValueReference[];
  /** Returns the effects that a declaration proves, to check claims against and to suggest claims. */
  effects(declaration: Declaration, tool: Pick<FlatTool, "input" | "spec">): readonly Effect[];
  /** Reports problems beyond the format; every reference resolves by then. */
  check(declaration: Declaration, tool: DeclaringTool, reportWith: ReportWith, plan: HandlerPlan): void;
  checkConnection?(connection: string, settings: JsonObject, report: ReportConnection): void;
  /** Returns the addresses that a connection may reach: with fewer of them, it is stricter. */
  addresses?(settings: JsonObject): readonly string[];
  /** Returns the packages, and the entry points of hasp's own, that calls through a connection import. */
  peers?(settings: JsonObject): readonly string[];
  print(declaration: Declaration, subject: ModuleSubject): GeneratedModule;
  printConnection?(settings: JsonObject, subject: ConnectionSubject): ConnectionModule;
  /** Expects the call that creates the handler: proof of what `print` prints, written apart from it. */
  expect(declaration: Declaration, subject: ExpectedSubject): RecordedCall;
  expectConnection?(settings: JsonObject, name: string): RecordedCall;
  readonly answer: StatedAnswer;
}
