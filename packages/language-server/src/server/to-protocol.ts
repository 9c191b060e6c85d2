import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { TextDocument } from "vscode-languageserver-textdocument";
import type { DiagnosticSeverity, Diagnostic as ProtocolDiagnostic, Range } from "vscode-languageserver";
import type { Diagnostic, Location } from "@hasp/base/diagnostics";
import type { FileSpan, LanguageProject } from "../language-project.js";
import type { SourceText } from "@hasp/compiler";
import { BYTE_ORDER_MARK } from "@hasp/compiler/source";
import type { Severity } from "@hasp/schema";
import { groupBy, indexBy } from "@hasp/base/json";
import { sortBySeverity } from "@hasp/report";

/** A converter of offsets in one compiled state to the protocol's positions: lines and UTF-16 columns. */
export class Positions {
  readonly #project: LanguageProject;
  readonly #sources: ReadonlyMap<string, SourceText>;
  readonly #documents = new Map<string, TextDocument | undefined>();

  /** Takes as `more` files that were not compiled, such as an open document that nothing refers to. */
  constructor(project: LanguageProject, more: readonly SourceText[] = []) {
    this.#project = project;
    this.#sources = indexBy(
      [...project.sources, ...(project.config === undefined ? [] : [project.config]), ...more],
      ({ uri }) => uri,
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

/** Returns the length of a byte order mark, which offsets count and editors do not. */
function markLength(text = ""): number {
  return text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
}

const SEVERITIES: { readonly [severity in Severity]: DiagnosticSeverity } = { error: 1, warning: 2, info: 3 };

export function toProtocol(
  { code, severity, message, help, location, related }: Diagnostic,
  positions: Positions,
  pageOf: (code: string) => string,
): ProtocolDiagnostic {
  return {
    source: "hasp",
    code,
    codeDescription: { href: pageOf(code) },
    severity: SEVERITIES[severity],
    message: help === undefined ? message : `${message}\n${help}`,
    range: location === undefined ? START : positions.rangeOf(location),
    ...(related && {
      relatedInformation: related.map((each) => ({
        message: each.message,
        location: { uri: positions.addressOf(each.location.uri), range: positions.rangeOf(each.location) },
      })),
    }),
  };
}

const START = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/**
 * Groups a project's findings by file, in the order of `hasp check`. Those without a place go to `fallback`, if there is
 * such a file.
 */
export function groupFindingsByFile(
  { diagnostics }: LanguageProject,
  fallback: string | undefined,
): ReadonlyMap<string, readonly Diagnostic[]> {
  const placed = sortBySeverity(diagnostics).flatMap((finding) => {
    const uri = finding.location?.uri ?? fallback;
    return uri === undefined ? [] : [{ uri, finding }];
  });
  return new Map(
    [...groupBy(placed, ({ uri }) => uri)].map(([uri, each]) => [uri, each.map(({ finding }) => finding)]),
  );
}

export function areSame(before: readonly Diagnostic[], after: readonly Diagnostic[]): boolean {
  return (
    before === after ||
    (before.length === after.length &&
      before.every(
        (finding, index) => finding === after[index] || JSON.stringify(finding) === JSON.stringify(after[index]),
      ))
  );
}
