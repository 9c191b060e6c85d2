import { Worker } from "node:worker_threads";
import { NotExecuted } from "@hasp/runtime";

/** The text of some pages of a PDF. */
export interface PdfText {
  readonly pages: readonly { readonly number: number; readonly text: string }[];
  /** The number of pages of the document. */
  readonly total: number;
}

export interface PdfRequest {
  readonly data: Uint8Array;
  readonly first: number;
  readonly last: number;
  readonly mostCharacters: number;
}

/** Memory that reading one document may take; a small file may unpack to any size. */
const mostBytes = 400_000_000;

/**
 * Reads the text of pages in a thread of its own, which is ended when it takes too much memory or the signal aborts.
 * Throws {@link NotExecuted} if the document cannot be read.
 */
export async function readPdf(request: PdfRequest, signal: AbortSignal): Promise<PdfText> {
  signal.throwIfAborted();
  // The tests run the sources, and a thread runs compiled code only.
  const worker = new Worker(new URL("../../dist/services/pdf-worker.js", import.meta.url), {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
    stdout: true,
    stderr: true,
  });
  const before = process.memoryUsage.rss();
  let watching: NodeJS.Timeout | undefined;
  try {
    return await new Promise<PdfText>((resolve, reject) => {
      const refuse = (reason: string): void => reject(new NotExecuted(`the document cannot be read: ${reason}`));
      // Unpacked streams are outside of the heap that `resourceLimits` limits.
      watching = setInterval(() => {
        if (process.memoryUsage.rss() - before > mostBytes) refuse("it unpacks to too much data");
      }, 20);
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      worker.once("message", (answer: PdfText | { readonly refused: string }) => {
        if ("refused" in answer) refuse(answer.refused);
        else resolve(answer);
      });
      worker.once("error", (error) => refuse(error.message));
      worker.once("exit", () => refuse("its reader ended early"));
    });
  } finally {
    clearInterval(watching);
    await worker.terminate();
  }
}
