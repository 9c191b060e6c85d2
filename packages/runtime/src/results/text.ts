import type { ToolContent } from "../tool/definition.js";

/** A list with one text block. */
export function textContent(text: string): readonly ToolContent[] {
  return [{ type: "text", text }];
}

/** A string cut to at most `limit` characters, never inside a surrogate pair, with an ellipsis if something is gone. */
export function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${head(text, Math.max(0, limit - 1))}…`;
}

/** The first characters of a string, never half a surrogate pair. */
export function head(text: string, limit: number): string {
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
}

/** The message of a thrown value, which may be anything, even an object that cannot be printed. */
export function messageOf(thrown: unknown): string {
  try {
    const message: unknown =
      typeof thrown === "object" && thrown !== null ? (thrown as { message?: unknown }).message : undefined;
    if (typeof message === "string" && message !== "") return message;
    return thrown === undefined ? "undefined was thrown" : String(thrown);
  } catch {
    return "a value that cannot be printed was thrown";
  }
}
