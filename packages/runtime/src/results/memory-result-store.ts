import type { ToolContent } from "../tool/definition.js";
import { buildTool, type Tool } from "../tool/tool.js";
import { plainText } from "./plain-text.js";
import { toolResult } from "./tool-result.js";

/** Keeps results that are too long for the model. */
export interface ResultStore {
  /** Returns a reference that the model can use to read on. */
  put(result: {
    readonly callId: string;
    readonly toolName: string;
    readonly content: readonly ToolContent[];
  }): string | Promise<string>;
}

/** The part of a stored result that a model asks for. */
export interface ReadResultInput {
  readonly reference: string;
  readonly from: number;
  readonly length: number;
}

/** Keeps results in memory, and has the tool that reads them. */
export interface MemoryResultStore extends ResultStore {
  /** The whole text behind a reference; `undefined` if it is unknown or gone. */
  get(reference: string): string | undefined;
  /** `read_result`: pass it to the dispatcher with the other tools. */
  readonly readTool: Tool<ReadResultInput, unknown>;
}

/**
 * Creates a store that keeps results as text, at most `mostChars` characters together (default ten million); the oldest
 * go first. It refuses a result that is longer by itself, and the model then gets a preview that says so.
 */
export function memoryResultStore({ mostChars = 10_000_000 }: { readonly mostChars?: number } = {}): MemoryResultStore {
  const texts = new Map<string, string>();
  let kept = 0;
  let count = 0;

  const get = (reference: string): string | undefined => texts.get(reference);
  return {
    get,
    readTool: readTool(get),
    put({ toolName, content }) {
      const text = plainText(content);
      if (text.length > mostChars) throw new RangeError(`the result has more than ${mostChars} characters`);
      for (const [oldest, { length }] of texts) {
        if (kept + text.length <= mostChars) break;
        texts.delete(oldest);
        kept -= length;
      }
      const reference = `${toolName}-${(count += 1)}`;
      texts.set(reference, text);
      kept += text.length;
      return reference;
    },
  };
}

function readTool(get: (reference: string) => string | undefined): Tool<ReadResultInput, unknown> {
  return buildTool<ReadResultInput>({
    name: "read_result",
    description:
      "Read more of a result that was cut because of its length. Pass the reference that the cut result names.",
    input: {
      type: "object",
      required: ["reference"],
      properties: {
        reference: { type: "string", description: "The reference from the cut result." },
        from: { type: "integer", minimum: 0, default: 0, description: "The first character to read, counted from 0." },
        length: {
          type: "integer",
          minimum: 1,
          maximum: 20_000,
          default: 10_000,
          description: "Most characters to read.",
        },
      },
    },
    concurrency: { class: "READ_ONLY" },
    behavior: { requiresPermission: false, isOpenWorld: false },
    execute({ reference, from, length }) {
      const text = get(reference);
      if (text === undefined) {
        return toolResult({ isError: true, content: `Nothing is stored at "${reference}".` });
      }
      const part = text.slice(from, from + length);
      const next = from + part.length;
      const rest =
        next < text.length
          ? `[Read on from ${next}; the whole result has ${text.length} characters.]`
          : "[This is the end.]";
      return `${part}\n${rest}`;
    },
  });
}
