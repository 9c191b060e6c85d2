import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { TextDocument } from "vscode-languageserver-textdocument";
import type { Range } from "vscode-languageserver";
import type { Location } from "../../../compiler/src/diagnostics/diagnostic.js";
import type { LanguageProject } from "../model/language-project.js";
import type { SourceText } from "../../../compiler/src/model/document.js";
import { BYTE_ORDER_MARK } from "../../../compiler/src/phases/1-load/locator.js";
import type { FileSpan } from "../model/file-span.js";

/** Converts offsets in one compiled state to the protocol's positions: lines and UTF-16 columns. */
export class Positions {
  readonly #project: LanguageProject;
  readonly #sources: ReadonlyMap<string, SourceText>;
  readonly #documents = new Map<string, TextDocument | undefined>();

  /** `more` are files that were not compiled, such as an open document that nothing refers to. */
  constructor(project: LanguageProject, more: readonly SourceText[] = []) {
    this.#project = project;
    this.#sources = new Map(
      [...project.sources, ...(project.config === undefined ? [] : [project.config]), ...more].map((source) => [
        source.uri,
        source,
      ]),
    );
  }

  range({ uri, start, end }: FileSpan): Range | undefined {
    const document = this.#documentAt(uri);
    if (document === undefined) return undefined;
    const skipped = markLength(this.#sources.get(uri)?.text);
    return { start: document.positionAt(start - skipped), end: document.positionAt(end - skipped) };
  }

  rangeOf({ uri, range: { start, end } }: Location): Range {
    return (
      this.range({ uri, start: start.offset, end: end.offset }) ?? {
        start: { line: start.line - 1, character: start.column - 1 },
        end: { line: end.line - 1, character: end.column - 1 },
      }
    );
  }

  addressOf(path: string): string {
    return /^https?:/iu.test(path) ? path : pathToFileURL(join(this.#project.root, path)).href;
  }

  #documentAt(uri: string): TextDocument | undefined {
    if (!this.#documents.has(uri)) {
      const source = this.#sources.get(uri)?.text;
      const text = source?.slice(markLength(source));
      this.#documents.set(uri, text === undefined ? undefined : TextDocument.create(uri, "", 0, text));
    }
    return this.#documents.get(uri);
  }
}

/** An editor does not count a byte order mark; offsets do. */
function markLength(text = ""): number {
  return text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
}
