import type { JsonValue } from "@hasp/schema";
import { type Forms, measureContent, measureOutput } from "../../results/content.js";
import type { Outcome } from "../../results/outcome.js";
import { cut, head, messageOf, createTextContent } from "../../results/text.js";
import type { ToolContent, ToolResult } from "../../tool/definition.js";
import type { Limit } from "../../tool/fields.js";
import { aText } from "../../tool/shape.js";
import { GRACE_MS, withTimeout } from "../scheduling/with-timeout.js";
import { type CallState, createEventSubject, findResultLimit, reportProblem } from "../state/call-state.js";
import type { Engine } from "../state/engine.js";
import type { KeptResults } from "../state/extension.js";
import type { TurnState } from "../state/turn-state.js";

interface FormLimits {
  readonly content: number;
  readonly output: number;
}

export interface Limited {
  readonly content: readonly ToolContent[];
  readonly output?: JsonValue | undefined;
  readonly offloaded?: Offloaded | undefined;
}

type Offloaded = NonNullable<ToolResult["offloaded"]>;

/** Stores a whole result; `undefined` if there is no store, or it failed. */
type PutAway = (content: readonly ToolContent[]) => Promise<string | undefined>;

interface Offloading {
  readonly putAway: PutAway;
  readonly reader: KeptResults["reader"];
}

/** Cuts a result to the limit of its tool. */
export async function cutToLimit(
  engine: Engine,
  turn: TurnState,
  call: CallState,
  outcome: Outcome,
  most: number,
): Promise<Limited> {
  return limit(outcome, { content: most, output: most }, offloading(engine, turn, call));
}

/** Cuts the results of a turn to its budget: the largest are cut first, `unlimited` ones never. */
export async function cutToBudget(
  engine: Engine,
  turn: TurnState,
  finished: readonly CallState[],
  results: ToolResult[],
  budget: number,
  toResult: (call: CallState, outcome: Outcome, limited: Limited) => ToolResult,
): Promise<void> {
  const left = finished.flatMap((call, index) => {
    const result = results[index];
    return result === undefined || call.outcome === undefined ? [] : [{ call, index, result, outcome: call.outcome }];
  });
  const mostOf = (sizeOfForm: (at: (typeof left)[number]) => number): number =>
    computeFairLimit(
      left.map((at) => ({ sizeChars: sizeOfForm(at), limit: findResultLimit(at.call) })),
      budget,
    ) ?? Infinity;
  const most = {
    content: mostOf(({ result }) => measureContent(result.content)),
    output: mostOf(({ result, outcome }) => (result.output === undefined ? 0 : measureOutput(outcome))),
  };
  for (const { call, index, result, outcome } of left) {
    const isOutputShort = result.output === undefined || measureOutput(outcome) <= most.output;
    const isShort = isOutputShort && measureContent(result.content) <= most.content;
    if (isShort || findResultLimit(call) === "unlimited") continue;
    const limited = await limit(outcome, most, offloading(engine, turn, call), result.offloaded);
    results[index] = toResult(call, outcome, result.output === undefined ? { ...limited, output: undefined } : limited);
  }
}

/** Puts away what the model does not see whole, and says where. */
function offloading(
  { extensions: { resultStore }, hookTimeoutMs, emit }: Engine,
  turn: TurnState,
  call: CallState,
): Offloading {
  const putAway: Offloading["putAway"] = async (content) => {
    if (resultStore === undefined) return undefined;
    try {
      const pending = Promise.resolve(resultStore.put({ ...createEventSubject(call), content }));
      const limits = { turn, milliseconds: hookTimeoutMs, graceMs: GRACE_MS };
      const reference = await withTimeout(pending, limits);
      if (!aText.fits(reference) || reference === "") throw new TypeError("the store answered no reference");
      call.part?.pass("stored", reference);
      return cut(reference, 1000);
    } catch (error) {
      reportProblem({ emit }, call, "result-store-failed", messageOf(error));
      return undefined;
    }
  };
  return { putAway, reader: resultStore?.reader ?? "nowhere" };
}

/** Returns the forms of a result, or a preview if they are too long. A part of the output would not be JSON. */
async function limit(
  full: Forms,
  most: FormLimits,
  { putAway, reader }: Offloading,
  known?: Offloaded,
): Promise<Limited> {
  const { content, output } = full;
  const keepsOutput = measureOutput(full) <= most.output;
  if (keepsOutput && measureContent(content) <= most.content) {
    return { content, output, ...(known !== undefined && { offloaded: known }) };
  }
  const offloaded = known ?? (await offload(storable(full), putAway));
  const note = noteOf(offloaded, reader, most.content);
  return {
    content: [...excerpt(content, most.content - note.length), ...(note === "" ? [] : createTextContent(note))],
    ...(keepsOutput && { output }),
    offloaded,
  };
}

async function offload(whole: readonly ToolContent[], putAway: PutAway): Promise<Offloaded> {
  const reference = await putAway(whole);
  return { sizeChars: measureContent(whole), ...(reference !== undefined && { reference }) };
}

/** Returns everything in a result, with its JSON in lines, so that readers can page through it. */
function storable({ content, output, outputChars }: Forms): readonly ToolContent[] {
  if (output === undefined) return content;
  const lines = createTextContent(JSON.stringify(output, undefined, 2));
  return outputChars === undefined ? [...lines, ...content.slice(1)] : [...content, ...lines];
}

/** Says how much is missing and how to get it, in few enough words to leave room for the result itself. */
function noteOf({ sizeChars, reference }: Offloaded, reader: Offloading["reader"], most: number): string {
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
export function computeFairLimit(
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
