import type { RunnableTool } from "../../../compiler/src/run/runnable-spec.js";

/**
 * True if a tool needs nothing of its handler before the first call: no function judges calls or gates the tool. False
 * if
 * the text does not plainly show this, or the module has no `execute`, which must be refused at once.
 */
export function mayLoadLater({ rules, flags, checks, isLoadedOnFirstCall }: RunnableTool, handler: string): boolean {
  if (isLoadedOnFirstCall) return true;
  const conditions = [
    ...rules.map(({ when }) => when),
    ...flags.map(({ predicate }) => predicate),
    ...checks.map(({ that }) => that),
  ];
  if (conditions.some((condition) => "custom" in condition)) return false;
  return /\bexecute\b/u.test(handler) && !MAY_EXPORT_MORE.test(handler);
}

/** Signs that a module gates the tool, or exports names we cannot see: re-exports, escapes, quoted names, CommonJS. */
const MAY_EXPORT_MORE = /isEnabled|\\u|\bexport\b[^\w{]*[*=]|\bas\b[^\w{},;]*["']|\b(?:exports|module|require)\b/u;
