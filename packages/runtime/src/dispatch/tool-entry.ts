import { createValidator } from "@hasp/schema/validate";
import type { Phase } from "../contract/definition.js";
import type { AnyTool } from "../contract/tool.js";

type Validator = ReturnType<typeof createValidator>;

/** A tool as one dispatcher sees it. */
export interface ToolEntry {
  readonly tool: AnyTool;
  /** Present for a tool of a live MCP server. */
  readonly server?: { readonly name: string; readonly toolName: string };
  /** Why a call to it is refused, and it is not listed. */
  readonly unavailable?: { readonly phase: Phase; readonly code: string; readonly message: string };
}

interface Validators {
  input?: Validator;
  output?: Validator;
}

const validators = new WeakMap<AnyTool, Validators>();

/** The validator of a tool's input: lossless coercion and defaults on a copy. Made once, when first needed. */
export function inputValidator({ tool, server }: ToolEntry): Validator {
  const made = validatorsOf(tool);
  return (made.input ??= createValidator(tool.input, {
    coerce: true,
    defaults: true,
    ...(server !== undefined && { foreignPatterns: "skip" as const }),
  }));
}

/** The validator of a tool's structured output, which is taken as it is; `undefined` where there is no output schema. */
export function outputValidator({ tool, server }: ToolEntry): Validator | undefined {
  if (tool.output === undefined) return undefined;
  const made = validatorsOf(tool);
  return (made.output ??= createValidator(tool.output, server === undefined ? {} : { foreignPatterns: "skip" }));
}

function validatorsOf(tool: AnyTool): Validators {
  let made = validators.get(tool);
  if (made === undefined) validators.set(tool, (made = {}));
  return made;
}
