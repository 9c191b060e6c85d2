import { linearPattern } from "@hasp/schema/vocabulary";
import { allDecoders, allKeywords, type plainDecoders } from "@hasp/schema/internal/runtime";
import { toDraft07 } from "./standard-schema.js";
import { createResourceFinder } from "./resource-key.js";

/** The parts that only some tools need. Generated code imports them for those, so that a bundle holds no more. */
export interface ToolParts {
  /** Needed by a schema with a pattern. */
  readonly patterns?: typeof linearPattern;
  /** Needed by a schema with `allOf`, `anyOf`, `oneOf`, `not`, `if` or most formats. */
  readonly keywords?: typeof allKeywords;
  /** Needed by a dialect that changes the shape of values. */
  readonly decoders?: typeof plainDecoders;
  /** Needed by an input schema that differs in draft 07. */
  readonly toDraft07?: typeof toDraft07;
  /** Needed by a resource key. */
  readonly createResourceFinder?: typeof createResourceFinder;
}

/** Compiles a pattern that the native engine is proved to match in linear time. */
export const nativePattern: typeof linearPattern = (pattern) => new RegExp(pattern, "u");

/** The parts of tools that no compiler has seen. No dialect changes the shape of their values. */
export const ownParts: Omit<Required<ToolParts>, "decoders"> = {
  patterns: linearPattern,
  keywords: allKeywords,
  toDraft07,
  createResourceFinder,
};

/** The parts of tools whose modules come from an earlier compiler, which stated none. */
export const allParts: Required<ToolParts> = {
  patterns: linearPattern,
  keywords: allKeywords,
  decoders: allDecoders,
  toDraft07,
  createResourceFinder,
};
