import type { Location } from "@hasp/base/diagnostics";
import type { FlatTool } from "../model/tool.js";
import { PROMPT_TEXTS } from "../model/spec-keys.js";
import { appendToPointer, isStructured } from "@hasp/base/json";

export interface ToolText {
  readonly text: string;
  readonly role: string;
  readonly part: "spec" | "input" | "output";
  readonly pointer: string;
}

/** Parts of a spec that no model reads and that judge nothing; `input` and `output` are read from the flat schemas. */
const UNREAD: ReadonlySet<string> = new Set(["origin", "input", "output"]);

export function listTexts(tool: FlatTool): readonly ToolText[] {
  const texts: ToolText[] = [];
  // Keys that begin with `x-` are read, too.
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
  } else if (isStructured(value)) {
    for (const key of Object.keys(value)) {
      const inside = appendToPointer(pointer, key);
      texts.push({ text: key, role: "a key", part, pointer: inside });
      collect(texts, (value as { readonly [key: string]: unknown })[key], inside, key, part);
    }
  }
}

export function locateText(tool: FlatTool, { part, pointer, role }: Omit<ToolText, "text">): Location {
  const side = role === "a key" ? "key" : "value";
  const flat = part === "spec" ? undefined : tool[part];
  return flat === undefined ? tool.locate(pointer, side) : flat.locate(pointer, side);
}

/** Keys whose texts a model reads to choose a tool and call it. */
export const PROMPT_ROLES: ReadonlySet<string> = new Set([...PROMPT_TEXTS, "summary"]);
