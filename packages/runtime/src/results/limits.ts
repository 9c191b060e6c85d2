import type { ToolContent } from "../tool/definition.js";
import type { Limit } from "../tool/fields.js";
import { cut, head } from "./text.js";

/** The size of results that a turn's budget never cuts. */
const SMALL = 300;

/** Content under its limit, and where all of it is stored. */
export interface Limited {
  readonly content: readonly ToolContent[];
  readonly offloaded?: { readonly reference: string; readonly sizeChars: number };
}

/** Stores a whole result; `undefined` if there is no store, or it failed. */
export type PutAway = (content: readonly ToolContent[]) => Promise<string | undefined>;

/** The characters of a content that a model reads. */
export function sizeOf(content: readonly ToolContent[]): number {
  return content.reduce(
    (size, block) => size + ("text" in block && block.text !== undefined ? block.text.length : 0),
    0,
  );
}

/** Content that fits as it is; otherwise a preview that says what is missing and what to do. */
export async function limit(
  full: readonly ToolContent[],
  most: number,
  putAway: PutAway,
  known?: Limited["offloaded"],
): Promise<Limited> {
  const sizeChars = known?.sizeChars ?? sizeOf(full);
  if (sizeOf(full) <= most) return { content: full, ...(known !== undefined && { offloaded: known }) };
  const reference = known?.reference ?? (await putAway(full));
  const note = cut(
    reference === undefined
      ? `[Cut: the whole result has ${sizeChars} characters. The rest is lost; ask for less, with a narrower question or in pages.]`
      : `[Cut: the whole result has ${sizeChars} characters and is stored at ${reference}. Read it there; do not repeat the call.]`,
    most,
  );
  return {
    content: [...excerpt(full, most - note.length), { type: "text", text: note }],
    ...(reference !== undefined && { offloaded: { reference, sizeChars } }),
  };
}

/**
 * The size to which every result must be cut so that all fit into a budget: the largest give first, small ones stay
 * whole, and those without limit count but are never cut. `undefined` if all fit as they are.
 */
export function fairLimit(
  results: readonly { readonly sizeChars: number; readonly limit: Limit }[],
  budget: number,
): number | undefined {
  if (results.reduce((sum, result) => sum + result.sizeChars, 0) <= budget) return undefined;
  const uncut = results
    .filter((result) => result.limit === "unlimited")
    .reduce((sum, result) => sum + result.sizeChars, 0);
  const sizes = results
    .flatMap((result) => (result.limit === "unlimited" ? [] : [result.sizeChars]))
    .toSorted((a, b) => a - b);
  let room = Math.max(0, budget - uncut);
  for (const [index, size] of sizes.entries()) {
    const share = Math.floor(room / (sizes.length - index));
    if (size > share) return Math.max(SMALL, share);
    room -= size;
  }
  return undefined;
}

/** The beginning and the end of a content, in at most `room` characters. */
function excerpt(content: readonly ToolContent[], room: number): readonly ToolContent[] {
  let left = room;
  return content.flatMap((block): readonly ToolContent[] => {
    if (!("text" in block) || block.text === undefined) return [block];
    const text = block.text.length <= left ? block.text : headAndTail(block.text, left);
    left -= text.length;
    if (text === "" && block.type === "text") return [];
    return [{ ...block, text }];
  });
}

function headAndTail(text: string, room: number): string {
  const gap = "\n…\n";
  if (room <= gap.length + 20) return head(text, Math.max(0, room));
  const front = Math.ceil((room - gap.length) * 0.75);
  const back = text.slice(text.length - (room - gap.length - front));
  const first = back.charCodeAt(0);
  return head(text, front) + gap + (first >= 0xdc00 && first <= 0xdfff ? back.slice(1) : back);
}
