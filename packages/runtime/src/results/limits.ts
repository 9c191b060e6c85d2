import type { JsonValue } from "@hasp/schema";
import type { ToolContent } from "../tool/definition.js";
import type { Limit } from "../tool/fields.js";
import { head, textContent } from "./text.js";

interface Forms {
  readonly content: readonly ToolContent[];
  readonly output?: JsonValue;
  /** The characters of the output as JSON; absent if the first block of the content is that JSON. */
  readonly outputChars?: number;
}

interface FormLimits {
  readonly content: number;
  readonly output: number;
}

export interface Limited {
  readonly content: readonly ToolContent[];
  readonly output?: JsonValue | undefined;
  readonly offloaded?: { readonly reference: string; readonly sizeChars: number };
}

/** Stores a whole result; `undefined` if there is no store, or it failed. */
type PutAway = (content: readonly ToolContent[]) => Promise<string | undefined>;

export interface Offloading {
  readonly putAway: PutAway;
  /** The tool that reads stored results; `elsewhere` if the program has one, `nowhere` if the model's list lacks it. */
  readonly reader: "read_result" | "elsewhere" | "nowhere";
}

/** Counts the characters of the structured output, as JSON. */
export function measureOutput({ content, output, outputChars }: Forms): number {
  if (output === undefined) return 0;
  const [first] = content;
  return outputChars ?? (first?.type === "text" ? first.text.length : 0);
}

export function measureContent(content: readonly ToolContent[]): number {
  return content.reduce(
    (size, block) => size + ("text" in block && block.text !== undefined ? block.text.length : 0),
    0,
  );
}

/** Returns the forms of a result, or a preview if they are too long. A part of the output would not be JSON. */
export async function limit(
  full: Forms,
  most: FormLimits,
  { putAway, reader }: Offloading,
  known?: Limited["offloaded"],
): Promise<Limited> {
  const { content, output } = full;
  const keepsOutput = measureOutput(full) <= most.output;
  if (keepsOutput && measureContent(content) <= most.content) {
    return { content, output, ...(known !== undefined && { offloaded: known }) };
  }
  const stored = known === undefined ? storable(full) : content;
  const sizeChars = known?.sizeChars ?? measureContent(stored);
  const reference = known?.reference ?? (await putAway(stored));
  const note = noteOf(sizeChars, reference, reader, most.content);
  return {
    content: [...excerpt(content, most.content - note.length), ...(note === "" ? [] : textContent(note))],
    ...(keepsOutput && { output }),
    ...(reference !== undefined && { offloaded: { reference, sizeChars } }),
  };
}

/** Returns everything in a result, with its JSON in lines, so that readers can page through it. */
function storable({ content, output, outputChars }: Forms): readonly ToolContent[] {
  if (output === undefined) return content;
  const lines = textContent(JSON.stringify(output, undefined, 2));
  return outputChars === undefined ? [...lines, ...content.slice(1)] : [...content, ...lines];
}

/** Says how much is missing and how to get it, in few enough words to leave room for the result itself. */
function noteOf(sizeChars: number, reference: string | undefined, reader: Offloading["reader"], most: number): string {
  const whole = `[Cut: the whole result has ${sizeChars} characters`;
  const notes =
    reference === undefined || reader === "nowhere"
      ? [
          `${whole}. You cannot read the rest; ask for less, with a narrower question or in pages.]`,
          `[Cut: ${sizeChars} characters in all]`,
        ]
      : [
          `${whole} and is stored at ${reference}. Read it ${reader === "read_result" ? "with read_result" : "there"}; do not repeat the call.]`,
          `[Cut: all ${sizeChars} characters are at ${reference}]`,
        ];
  return [...notes, "[Cut]"].find(({ length }) => length <= (most * 2) / 3) ?? "";
}

/** Computes the size to which results must be cut to fit a budget; small ones stay whole. `undefined` if all fit. */
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
    if (size > share) return share;
    room -= size;
  }
  return undefined;
}

function excerpt(content: readonly ToolContent[], room: number): readonly ToolContent[] {
  let left = room;
  return content.flatMap((block): readonly ToolContent[] => {
    if (!("text" in block) || block.text === undefined) return [block];
    const text = block.text.length <= left ? block.text : headAndTail(block.text, left);
    left -= text.length;
    if (text === "" && block.type === "text") return [];
    const { mcp, ...shown } = block;
    return [{ ...shown, ...(text === block.text && mcp !== undefined && { mcp }), text }];
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
