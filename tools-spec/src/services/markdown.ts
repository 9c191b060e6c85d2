import { Parser } from "htmlparser2";

/** A converter of an HTML page to Markdown, piece by piece. */
export interface MarkdownWriter {
  write(html: string): void;
  /** Returns the text of the page. */
  end(): string;
}

/** Deeper elements are left out: a parser's work for one element grows with its depth. */
const deepest = 500;

/**
 * Creates a writer for one page, whose links are relative to `base`. Takes linear time: the usual converters build a
 * tree and take minutes for half a megabyte of unclosed elements.
 */
export function createMarkdownWriter(base: URL): MarkdownWriter {
  const page = new Page(base);
  let [depth, hiddenAt, isTooDeep] = [0, Infinity, false];
  const parser = new Parser({
    onopentag(name, attributes) {
      depth += 1;
      isTooDeep ||= depth > deepest;
      if (hiddenElements.has(name)) hiddenAt = Math.min(hiddenAt, depth);
      if (hiddenAt === Infinity) elements.get(name)?.open?.(page, attributes);
    },
    onclosetag(name) {
      if (hiddenAt === Infinity) elements.get(name)?.close?.(page);
      if (depth === hiddenAt) hiddenAt = Infinity;
      depth -= 1;
    },
    ontext(text) {
      if (hiddenAt === Infinity) page.text(text);
    },
  });
  return {
    write(html) {
      // In portions, so that the rest of a page that turns out too deep is not parsed.
      for (let start = 0; start < html.length; start += portion) {
        if (isTooDeep) return;
        parser.write(html.slice(start, start + portion));
      }
    },
    end() {
      if (!isTooDeep) parser.end();
      return page.end();
    },
  };
}

const portion = 4096;

/** The Markdown written so far. */
class Page {
  readonly #base: URL;
  readonly #parts: string[] = [];
  /** Line breaks at the end; the beginning counts as an empty line. */
  #breaks = 2;
  #isSpaceDue = false;
  readonly lists: { next: number | undefined }[] = [];
  readonly links: (string | undefined)[] = [];
  readonly tables: { rows: number; cells: number }[] = [];
  preformatted = 0;

  constructor(base: URL) {
    this.#base = base;
  }

  /** Adds marks as they are. */
  mark(marks: string): void {
    if (marks === "") return;
    if (this.#isSpaceDue && this.#breaks === 0) this.#parts.push(" ");
    this.#isSpaceDue = false;
    this.#parts.push(marks);
    this.#breaks = marks.endsWith("\n") ? 1 : 0;
  }

  /** Adds text of the page; outside of preformatted text, white space is one space. */
  text(text: string): void {
    if (this.preformatted > 0) return this.mark(text);
    for (const [index, word] of text.split(/\s+/).entries()) {
      if (index > 0) this.#isSpaceDue = true;
      this.mark(word);
    }
  }

  /** Ends the line, or the paragraph. */
  breakLine(breaks: 1 | 2): void {
    this.#isSpaceDue = false;
    if (this.#breaks >= breaks) return;
    this.#parts.push("\n".repeat(breaks - this.#breaks));
    this.#breaks = breaks;
  }

  /** Returns the absolute address of a web link; `undefined` for others. */
  address(href: string | undefined): string | undefined {
    if (href === undefined || href.startsWith("#") || !URL.canParse(href, this.#base.href)) return undefined;
    const { protocol, href: absolute } = new URL(href, this.#base);
    return protocol === "http:" || protocol === "https:" ? absolute : undefined;
  }

  end(): string {
    return this.#parts.join("").trim();
  }
}

/** The additions of an element at its beginning and its end. */
interface Element {
  readonly open?: (page: Page, attributes: { readonly [name: string]: string }) => void;
  readonly close?: (page: Page) => void;
}

const hiddenElements: ReadonlySet<string> = new Set(
  "head iframe noscript script select style svg template title".split(" "),
);

const block: Element = { open: (page) => page.breakLine(2), close: (page) => page.breakLine(2) };
const line: Element = { open: (page) => page.breakLine(1), close: (page) => page.breakLine(1) };
const around = (marks: string): Element => ({ open: (page) => page.mark(marks), close: (page) => page.mark(marks) });
const heading = (marks: string): Element => ({
  open(page) {
    page.breakLine(2);
    page.mark(`${marks} `);
  },
  close: (page) => page.breakLine(2),
});
const list = (first: number | undefined): Element => ({
  open(page) {
    page.breakLine(page.lists.length === 0 ? 2 : 1);
    page.lists.push({ next: first });
  },
  close(page) {
    page.lists.pop();
    page.breakLine(page.lists.length === 0 ? 2 : 1);
  },
});
const cell: Element = {
  open(page) {
    page.mark("| ");
    const table = page.tables.at(-1);
    if (table !== undefined) table.cells += 1;
  },
  close: (page) => page.mark(" "),
};

const elements: ReadonlyMap<string, Element> = new Map<string, Element>([
  ...["address", "article", "aside", "blockquote", "details", "div", "dl", "fieldset", "figure", "footer"].map(
    (name) => [name, block] as const,
  ),
  ...["form", "header", "main", "nav", "p", "section"].map((name) => [name, block] as const),
  ...["dt", "dd", "summary", "figcaption"].map((name) => [name, line] as const),
  ...[1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, heading("#".repeat(level))] as const),
  ["strong", around("**")],
  ["b", around("**")],
  ["em", around("_")],
  ["i", around("_")],
  ["code", { open: (page) => page.mark(inlineMark(page)), close: (page) => page.mark(inlineMark(page)) }],
  ["br", { open: (page) => page.mark("\n") }],
  [
    "hr",
    {
      open(page) {
        page.breakLine(2);
        page.mark("---");
        page.breakLine(2);
      },
    },
  ],
  ["ul", list(undefined)],
  ["ol", list(1)],
  [
    "li",
    {
      open(page) {
        page.breakLine(1);
        const current = page.lists.at(-1);
        const indent = "  ".repeat(Math.min(10, Math.max(0, page.lists.length - 1)));
        page.mark(current?.next === undefined ? `${indent}- ` : `${indent}${current.next++}. `);
      },
      close: (page) => page.breakLine(1),
    },
  ],
  [
    "pre",
    {
      open(page) {
        page.breakLine(2);
        page.mark("```\n");
        page.preformatted += 1;
      },
      close(page) {
        page.preformatted -= 1;
        page.breakLine(1);
        page.mark("```");
        page.breakLine(2);
      },
    },
  ],
  [
    "a",
    {
      open(page, { href }) {
        const address = page.address(href);
        page.links.push(address);
        if (address !== undefined) page.mark("[");
      },
      close(page) {
        const address = page.links.pop();
        if (address !== undefined) page.mark(`](${address})`);
      },
    },
  ],
  ["img", { open: (page, { alt }) => page.mark(alt === undefined ? "" : `![${alt}]`) }],
  [
    "table",
    {
      open(page) {
        page.breakLine(2);
        page.tables.push({ rows: 0, cells: 0 });
      },
      close(page) {
        page.tables.pop();
        page.breakLine(2);
      },
    },
  ],
  [
    "tr",
    {
      open: (page) => page.breakLine(1),
      close(page) {
        const table = page.tables.at(-1);
        if (table === undefined || table.cells === 0) return;
        page.mark("|\n");
        if (table.rows === 0) page.mark(`|${" --- |".repeat(Math.min(table.cells, 100))}\n`);
        table.rows += 1;
        table.cells = 0;
      },
    },
  ],
  ["td", cell],
  ["th", cell],
]);

function inlineMark(page: Page): string {
  return page.preformatted > 0 ? "" : "`";
}
