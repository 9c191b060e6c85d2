import type { JsonObject } from "@hasp/schema";
import type { Declarations, HandlerKindName, SpecBind } from "../../model/handlers/declaration.js";
import type { Reference } from "./references.js";

/**
 * One kind of handler without code: its part of the spec format, what it refers to, what is wrong with it, and the
 * module that calls run.
 */
export interface HandlerKind<Name extends HandlerKindName = HandlerKindName> {
  readonly name: Name;
  /** The declaration in the spec format, with descriptions for newcomers. */
  readonly schema: JsonObject;
  /** What stands under `connections.<name>.<kind>` of the configuration; absent for a kind that connects to nothing. */
  readonly connectionSchema?: JsonObject;
  /** What a test states as the answer: `tests[].respond`. */
  readonly respond: JsonObject;
  /** What a test expects to be sent: `tests[].expect.request`. */
  readonly request: JsonObject;
  /** Every value that a declaration takes from the input, the context or `bind`, in the order of the text. */
  references(declaration: Declarations[Name], bind: SpecBind): readonly Reference[];
}
