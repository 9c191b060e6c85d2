import type { JsonValue } from "@hasp/schema";
import type { Location } from "../../diagnostics/diagnostic.js";
import type { FlatTool } from "../../model/tool.js";
import { escapeToken } from "./schema-nodes.js";

/** One text that a tool carries. */
export interface ToolText {
  readonly text: string;
  /** What the text is, such as `description` or `the name of a property`. */
  readonly role: string;
  /** JSON Pointer inside the spec, or inside the flat schema for what stands under `input` and `output`. */
  readonly pointer: string;
  locate(): Location;
}

/** Parts of a spec that no model ever reads and that judge nothing. */
const UNREAD: ReadonlySet<string> = new Set(["suggested", "origin"]);

/** Every text and every key of a tool, those of its flat schemas included, wherever they were written. */
export function* textsOf(tool: FlatTool): Generator<ToolText> {
  for (const [key, value] of Object.entries(tool.spec)) {
    if (key === "input" || key === "output" || UNREAD.has(key)) continue;
    yield* textsIn(value as JsonValue, `/${escapeToken(key)}`, key, (pointer, part) => tool.locate(pointer, part));
  }
  for (const part of ["input", "output"] as const) {
    const flat = tool[part];
    if (flat !== undefined) yield* textsIn(flat.schema as JsonValue, "", part, (pointer, side) => flat.locate(pointer, side));
  }
}

function* textsIn(
  value: JsonValue,
  pointer: string,
  role: string,
  locate: (pointer: string, part?: "key" | "value") => Location,
): Generator<ToolText> {
  if (typeof value === "string") yield { text: value, role, pointer, locate: () => locate(pointer) };
  else if (typeof value === "object" && value !== null) {
    for (const [key, child] of Object.entries(value)) {
      const inside = `${pointer}/${escapeToken(key)}`;
      if (!Array.isArray(value)) yield { text: key, role: "a key", pointer: inside, locate: () => locate(inside, "key") };
      yield* textsIn(child as JsonValue, inside, Array.isArray(value) ? role : key, locate);
    }
  }
}

/** The texts that a model reads to decide what to call and how: names, descriptions and titles. */
export function* promptTexts(tool: FlatTool): Generator<ToolText> {
  for (const each of textsOf(tool)) if (PROMPT_ROLES.has(each.role)) yield each;
}

const PROMPT_ROLES: ReadonlySet<string> = new Set(["description", "title", "searchHint", "summary"]);
