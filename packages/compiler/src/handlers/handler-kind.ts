import type { JsonObject } from "@hasp/schema";
import type { SpecBind, Effect } from "../model/handlers.js";
import type { CompilePlan } from "../model/plan.js";
import type { FlatTool } from "../model/tool.js";
import type { Code } from "../typescript/code.js";
import type { DeclaringTool, HandlerPlan, ReportConnection, ReportHandler } from "./handler-check.js";
import type { ValueReference } from "./references.js";

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

/** One way to declare a handler: what a declaration proves, what `check` reports of it, and the code that it becomes. */
export interface HandlerKind<Declaration extends object = object> {
  readonly name: string;
  /** True if the handler receives the input and the bound values as they are. */
  readonly takesWholeInput?: true;
  /** Loads what the other functions need, once a spec declares a handler of this kind. */
  prepare?(): Promise<void>;
  /** Returns every value that a declaration takes from the input, the context or `bind`, in textual order. */
  references(declaration: Declaration, bind: SpecBind): readonly ValueReference[];
  /** Returns the effects that a declaration proves, to check claims against and to suggest claims. */
  effects(declaration: Declaration, tool: Pick<FlatTool, "input" | "spec">): readonly Effect[];
  /** Reports problems beyond the format; every reference resolves by then. */
  check(declaration: Declaration, tool: DeclaringTool, report: ReportHandler, plan: HandlerPlan): void;
  checkConnection?(connection: string, settings: JsonObject, report: ReportConnection): void;
  module(declaration: Declaration, subject: ModuleSubject): GeneratedModule;
  connectionModule?(settings: JsonObject, subject: ConnectionSubject): ConnectionModule;
}
