import { open, readFile } from "node:fs/promises";
import { NotExecuted, toolResult } from "@hasp/runtime";
import type { ReadFileHandler, ReadFileInput, ReadFileOutput } from "../generated/tools/read-file.js";
import { readImage } from "../services/images.js";
import { type Line, mostCharactersPerLine, readLines } from "../services/lines.js";
import { parseNotebook, printNotebook } from "../services/notebooks.js";
import { readPdf } from "../services/pdf.js";
import { absolutePath, nothingHappened } from "../services/workspace.js";

export { insideWorkspace } from "../services/workspace.js";

/** Far more than one line may have, so that every piece makes progress. */
const mostCharacters = 200_000;

/** Empty pages count too. */
const mostPages = 50;

/** The most bytes of files that are read whole. Models set the limit of images. */
const mostBytes = { image: 3_700_000, pdf: 30_000_000, notebook: 30_000_000 };

/** Reads a file by its content: an image, a PDF, a notebook, or text of any size, a piece at a time. */
export const execute: ReadFileHandler["execute"] = async (input, { context, signal }) => {
  const { path } = input;
  const absolute = await absolutePath(context.workspace, path);
  const { beginning, bytes } = await readBeginning(absolute).catch(nothingHappened);
  if (beginning.toString("latin1").startsWith("%PDF-")) {
    assertSize(path, bytes, mostBytes.pdf);
    return readPages(input, await readFile(absolute).catch(nothingHappened), signal);
  }
  if (input.pages !== undefined) throw new NotExecuted(`${path} is not a PDF, and only a PDF has pages`);
  if (isImage(beginning)) {
    assertSize(path, bytes, mostBytes.image);
    return showImage(path, await readFile(absolute).catch(nothingHappened));
  }
  const piece = createPiece(input);
  if (path.endsWith(".ipynb")) {
    assertSize(path, bytes, mostBytes.notebook);
    const lines = printNotebook(parseNotebook(path, await readFile(absolute, "utf8").catch(nothingHappened)));
    lines.every((line, index) => {
      const text = line.slice(0, mostCharactersPerLine);
      return piece.add({ number: index + 1, text, omitted: line.length - text.length });
    });
    return piece.finish();
  }
  const end = await readLines(absolute, signal, piece.add).catch(nothingHappened);
  if (end === "binary") throw new NotExecuted(`${path} is not a text file`);
  return piece.finish();
};

async function readBeginning(path: string): Promise<{ readonly beginning: Buffer; readonly bytes: number }> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0);
    return { beginning: buffer.subarray(0, bytesRead), bytes: (await file.stat()).size };
  } finally {
    await file.close();
  }
}

function assertSize(path: string, bytes: number, most: number): void {
  if (bytes <= most) return;
  throw new NotExecuted(`${path} has ${bytes} bytes; a file of this kind may have ${most}`);
}

/** Recognizes an image of which only the first bytes are known. */
function isImage(beginning: Buffer): boolean {
  try {
    return readImage(beginning) !== undefined;
  } catch {
    return true;
  }
}

function showImage(path: string, bytes: Buffer): ReturnType<typeof toolResult> {
  const facts = readImage(bytes);
  if (facts === undefined) throw new NotExecuted(`${path} changed while it was read`);
  const { mimeType, width, height } = facts;
  const text = `${mimeType}, ${width} × ${height} pixels`;
  return toolResult({
    content: [
      { type: "text", text: `${path}: ${text}` },
      { type: "image", data: bytes.toString("base64"), mimeType },
    ],
    output: { path, text },
  });
}

async function readPages(
  { path, pages }: ReadFileInput,
  data: Uint8Array,
  signal: AbortSignal,
): Promise<ReadFileOutput> {
  const first = pages?.first ?? 1;
  const wanted = pages?.last ?? Infinity;
  const last = Math.min(wanted, first + mostPages - 1);
  const read = await readPdf({ data: new Uint8Array(data), first, last, mostCharacters }, signal);
  if (first > read.total) throw new NotExecuted(`${path} has ${read.total} pages`);
  const next = first + read.pages.length;
  return {
    path,
    text: read.pages.map(({ number, text }) => `[page ${number} of ${read.total}]\n${text}`).join("\n\n"),
    ...(next > Math.min(wanted, read.total) ? {} : { next }),
  };
}

/** Collects the lines that were asked for until they are too many. `add` answers `false` when nothing more is needed. */
function createPiece({ path, lines }: ReadFileInput): {
  readonly add: (line: Line) => boolean;
  readonly finish: () => ReadFileOutput;
} {
  const { first, last = Infinity } = lines ?? { first: 1 };
  const kept: string[] = [];
  let characters = 0;
  let next: number | undefined;
  return {
    add({ number, text, omitted }) {
      if (number < first) return true;
      if (number > last) return false;
      if (characters + text.length > mostCharacters) {
        next = number;
        return false;
      }
      kept.push(omitted === 0 ? text : `${text}… (${omitted} more characters)`);
      characters += text.length + 1;
      return true;
    },
    finish: () => ({ path, text: kept.join("\n"), ...(next === undefined ? {} : { next }) }),
  };
}
