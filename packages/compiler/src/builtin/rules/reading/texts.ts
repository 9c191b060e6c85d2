import type { Location } from "../../../diagnostics/diagnostic.js";
import type { FlatTool } from "../../../model/tool.js";
import { keysIn } from "../../../model/spec/keys.js";
import { escapeToken } from "../../../model/json-pointer.js";

/** One text that a tool carries. */
export interface ToolText {
  readonly text: string;
  /** The role of the text, such as `description` or `a key`. */
  readonly role: string;
  /** The part of the spec that holds it. */
  readonly part: "spec" | "input" | "output";
  /** JSON Pointer inside the spec, or inside the flat schema of the part. */
  readonly pointer: string;
}

/**
 * Parts of a spec that no model ever reads and that judge nothing; `input` and `output` are read from the flat schemas.
 */
const UNREAD: ReadonlySet<string> = new Set(["suggested", "origin", "input", "output"]);

/** Lists every text and every key of a tool, those of its flat schemas included, wherever they were written. */
export function listTexts(tool: FlatTool): readonly ToolText[] {
  const texts: ToolText[] = [];
  // An author chooses keys here, too: those that begin with `x-`.
  const read = Object.entries(tool.spec).filter(([key]) => !UNREAD.has(key));
  collect(texts, Object.fromEntries(read), "", "spec", "spec");
  collect(texts, tool.input.schema, "", "input", "input");
  if (tool.output !== undefined) collect(texts, tool.output.schema, "", "output", "output");
  return texts;
}

function collect(texts: ToolText[], value: unknown, pointer: string, role: string, part: ToolText["part"]): void {
  if (typeof value === "string") texts.push({ text: value, role, part, pointer });
  else if (Array.isArray(value)) {
    for (const [index, child] of value.entries()) collect(texts, child, `${pointer}/${index}`, role, part);
  } else if (typeof value === "object" && value !== null) {
    for (const key of Object.keys(value)) {
      const inside = `${pointer}/${escapeToken(key)}`;
      texts.push({ text: key, role: "a key", part, pointer: inside });
      collect(texts, (value as { readonly [key: string]: unknown })[key], inside, key, part);
    }
  }
}

/** The place of a text in the user's files. */
export function locateText(tool: FlatTool, { part, pointer, role }: Omit<ToolText, "text">): Location {
  const side = role === "a key" ? "key" : "value";
  const flat = part === "spec" ? undefined : tool[part];
  return flat === undefined ? tool.locate(pointer, side) : flat.locate(pointer, side);
}

/** Keys whose texts a model reads to decide what to call and how. */
export const PROMPT_ROLES: ReadonlySet<string> = new Set([...keysIn("prompt"), "summary"]);
