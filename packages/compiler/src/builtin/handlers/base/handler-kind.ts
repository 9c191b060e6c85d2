import type { JsonObject } from "@hasp/schema";
import type { Declarations, HandlerKindName, SpecBind } from "../../../model/handlers/declaration.js";
import type { FlatTool } from "../../../model/tool.js";
import type { Code } from "../../../typescript/code.js";
import type { Effect } from "./effect.js";
import type { CheckedTool, ReportConnection, ReportHandler } from "./handler-check.js";
import type { Reference } from "./references.js";

/** The names of a module's imports, by where they come from; `type X` for a type. */
export interface ModuleImports {
  readonly [from: string]: readonly string[];
}

/** What a generated module is beside its header and its types: one constant. */
export interface GeneratedModule {
  readonly imports: ModuleImports;
  /** Describes the constant in a sentence. */
  readonly comment: string;
  readonly value: Code;
}

/** A connection's module: a function of the runtime is called with settings, and answers a value of a type of the runtime. */
export interface ConnectionModule {
  /** The module of the function and of the type. */
  readonly from: string;
  readonly create: string;
  readonly type: string;
  /** The type argument of both; nothing for connections that do not read the context. */
  readonly argument: Code;
  readonly settings: Code;
  /** Imports beside those two. */
  readonly imports: ModuleImports;
  /** Describes the constant in a sentence. */
  readonly comment: string;
}

/** A tool as the module of its handler is printed for it. */
export interface ModuleSubject {
  readonly tool: FlatTool;
  /** The types of input and context, as type arguments. */
  readonly types: Code;
  /** The constant of the connection; only kinds that connect to something look at it. */
  readonly connection: Code;
}

/** A connection as its module is printed. */
export interface ConnectionSubject {
  readonly name: string;
  /** The context's type as a type argument, for settings that name a member of it. */
  readonly contextType: Code;
}

/**
 * One kind of handler without code: its part of the spec format, what it refers to, what is wrong with it, and the
 * module that calls run.
 */
export interface HandlerKind<Name extends HandlerKindName = HandlerKindName> {
  readonly name: Name;
  /** The declaration in the spec format, with descriptions for newcomers. */
  readonly schema: JsonObject;
  /** What is under `connections.<name>.<kind>` of the configuration; absent for a kind that connects to nothing. */
  readonly connectionSchema?: JsonObject;
  /** What a test states as the answer: `tests[].respond`. */
  readonly respond: JsonObject;
  /** What a test expects to be sent: `tests[].expect.request`. */
  readonly request: JsonObject;
  /** Every value that a declaration takes from the input, the context or `bind`, in the order of the text. */
  references(declaration: Declarations[Name], bind: SpecBind): readonly Reference[];
  /**
   * The effects that a declaration can be shown to have. Claims are checked against them, and supported claims are
   * suggested.
   */
  effects(declaration: Declarations[Name], tool: Pick<FlatTool, "input" | "spec">): readonly Effect[];
  /** Reports what is wrong beyond the format; every reference leads somewhere by then. */
  check(declaration: Declarations[Name], tool: CheckedTool, report: ReportHandler): void;
  /** Reports settings of a connection with which no call can succeed. */
  checkConnection?(connection: string, settings: JsonObject, report: ReportConnection): void;
  /** Prints the handler that calls run. */
  module(declaration: Declarations[Name], subject: ModuleSubject): GeneratedModule;
  /** Prints a connection; present where there is a `connectionSchema`. */
  connectionModule?(settings: JsonObject, subject: ConnectionSubject): ConnectionModule;
}
