import type { RunnableTool } from "../../../compiler/src/run/runnable-spec.js";

/**
 * Returns whether nothing of a tool's handler is needed before its first call: no function judges calls or decides
 * whether the tool is offered. Where the text does not show this plainly, the answer is `false`, and `false` for a
 * module without an `execute`, which is to be refused at once.
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

/**
 * Signs that a module decides whether the tool is offered, or exports it without writing its name: re-exports, names
 * with escapes, names in quotes, CommonJS.
 */
const MAY_EXPORT_MORE = /isEnabled|\\u|\bexport\b[^\w{]*[*=]|\bas\b[^\w{},;]*["']|\b(?:exports|module|require)\b/u;
