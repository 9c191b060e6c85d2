import { parentPort, workerData } from "node:worker_threads";
import { getDocumentProxy } from "unpdf";
import type { PdfRequest, PdfText } from "./pdf.js";

/** A run of text; the marks of tagged content have none. */
interface TextItem {
  readonly str?: string;
  readonly hasEOL?: boolean;
}

const answer = await readPages(workerData as PdfRequest).catch((error: unknown) => ({ refused: String(error) }));
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort?.postMessage(answer);

async function readPages({ data, first, last, mostCharacters }: PdfRequest): Promise<PdfText> {
  const document = await getDocumentProxy(data, { isEvalSupported: false, stopAtErrors: true, verbosity: 0 });
  const pages: { number: number; text: string }[] = [];
  let characters = 0;
  for (let number = first; number <= Math.min(last, document.numPages); number += 1) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    page.cleanup();
    const text = (items as readonly TextItem[])
      .map(({ str = "", hasEOL }) => (hasEOL === true ? `${str}\n` : str))
      .join("");
    if (pages.length > 0 && characters + text.length > mostCharacters) break;
    const omitted = text.length - mostCharacters;
    const kept = omitted > 0 ? `${text.slice(0, mostCharacters)}… (${omitted} more characters)` : text;
    pages.push({ number, text: kept });
    characters += text.length;
  }
  return { pages, total: document.numPages };
}
