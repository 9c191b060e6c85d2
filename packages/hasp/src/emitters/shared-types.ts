import type { JsonSchema } from "@hasp/schema";
import type { FlatSchema } from "../model/tool.js";

/** The types of definitions that several tools use, declared once under their authors' names. */
export interface SharedTypes {
  /** All names in the file of shared types. */
  readonly names: readonly string[];
  /** The name of the shared type of a node of a tool's schema, if it has one. */
  nameOf(schema: FlatSchema, node: JsonSchema, isFilled: boolean): string | undefined;
}

/** No shared types. */
export const noSharedTypes: SharedTypes = { names: [], nameOf: () => undefined };
