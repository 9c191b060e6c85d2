import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { describe, expect, test } from "vitest";
import type { Location } from "@hasp/base/diagnostics";
import { reportFormats, type FormatName, paintPlain, type Report } from "@hasp/report";
import { sarifSchema } from "./sarif-schema.js";

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
const isSarif = ajv.compile(sarifSchema);

/** Begins each line that a canary tries to forge. */
const FORGED = "CANARY";

/** Texts in a spec by which a stranger may make a report say or do more than it should. */
const canaries: Readonly<Record<string, string>> = {
  "control characters": "a\0b\u0007c\u001b[2Jd\u001b]0;owned\u0007e\u007ff\u009b31mg\th",
  "line breaks": ["a", "b", "c", "d", "e", "f"].join(`${FORGED} `).replaceAll("a", "\n\r\r\n\u2028\u2029\u0085"),
  "a forged line": `a\n${FORGED}: no findings\r\n${FORGED}\r${FORGED}\u2028${FORGED}`,
  "workflow commands":
    "::stop-commands::x\n::set-output name=a::b\n  ::error::c\n ##[add-mask]d\n##vso[task.complete]e",
  "a command of TeamCity": "x ##teamcity[buildStatus text='ok']",
  "bidi and invisible characters": "a\u202eb\u2066c\u200bd\ufeffe\u00adf\u3164g\u{e0041}h\ufe01i",
  "letters from right to left": "\u05d0 1, 2 \u0627/2024 \u0661,\u0662 \ufb1d \u{10900} \u{1e900}",
  noncharacters: "a\ufffeb\uffffc\ufdd0d\u{1fffe}e\u{10ffff}f",
  "lone surrogates": "a\ud800b\udc00c",
  URLs: "https://evil.example/ http://evil.example www.evil.example ftp://evil.example mailto:a@evil.example a@evil.example xmpp:a@evil.example",
  "mentions and issues": "@everyone @org/team #1 org/repo#1 GH-1",
  "table and code markup": "a | b || `c` ``d`` ```e``` \\| \\` \\",
  "markup of Markdown":
    "[a](https://evil.example) ![b](c) <https://evil.example> [d]: e **f** _g_ ~~h~~ # i $j$ [^k] &amp; \\[l](m)",
  "a list item": "- [ ] a",
  "a numbered list item": "1. a",
  "a heading": "# a",
  "HTML and XML": "<img src=x onerror=y> </testcase><testcase/> <![CDATA[a]]> ]]> <!-- b --> &lt; &#x0; \" '",
};

/** A report in which every field that holds text holds `text`. */
function reportOf(text: string): Required<Report> {
  const position = { offset: 0, line: 1, column: 1 };
  const location: Location = { uri: text, pointer: text, range: { start: position, end: { ...position, column: 2 } } };
  const diagnostics = (["error", "warning", "info"] as const).map((severity) => ({
    code: text,
    severity,
    message: text,
    help: text,
    tool: text,
    location,
    related: [{ location, message: text }],
    projects: [text, `${text} `],
    by: text,
  }));
  return {
    diagnostics,
    repeated: new Set(),
    sources: new Map([[text, text]]),
    comparison: {
      costs: [1, 2].map((after) => ({ toolset: text, dialect: text as "mcp", before: 0, after, isOther: true })),
    },
    rules: [
      { id: text, severity: "error", summary: text, why: text, examples: { bad: [{ spec: text }], good: [text] } },
    ],
    summary: { [text]: text },
    data: { [text]: [text] },
    cases: (["passed", "failed", "skipped"] as const).map((status) => ({
      suite: text,
      name: text,
      status,
      message: text,
    })),
    findEdit: () => ({ uri: text, start: 0, end: 1, text }),
    couldNotCheck: false,
  };
}

const read: { readonly [name in FormatName]: (printed: string, text: string) => void } = {
  github(printed) {
    const lines = printed.split("\n").slice(0, -1);
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(line).toMatch(/^::(?:error|warning|notice) file=[^:,]+(?:,\w+=[^:,]+)+::[^\r]+$/u);
  },
  json(printed, text) {
    const { diagnostics, [text]: data } = JSON.parse(printed) as {
      readonly diagnostics: readonly Readonly<Record<string, unknown>>[];
      readonly [key: string]: unknown;
    };
    expect(data).toEqual([text]);
    for (const diagnostic of diagnostics) {
      for (const key of ["code", "message", "tool", "uri", "pointer", "help"]) expect(diagnostic[key], key).toBe(text);
    }
  },
  junit(printed) {
    expect(XMLValidator.validate(printed)).toBe(true);
    // https://www.w3.org/TR/xml/#charsets
    expect(printed).not.toMatch(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
    const { testsuites } = new XMLParser({ ignoreAttributes: false }).parse(printed) as {
      readonly testsuites: { readonly testsuite: { readonly testcase: unknown } };
    };
    expect(Object.keys(testsuites).filter((key) => !key.startsWith("@_"))).toEqual(["testsuite"]);
    expect(testsuites.testsuite.testcase).toHaveLength(6);
  },
  markdown(printed) {
    const html = micromark(printed, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true });
    const tags = [...html.replaceAll("<!-- -->", "").matchAll(/<(\/?\w+|!)[^>]*>/gu)].map(([, tag = ""]) => tag);
    const expected = ["h3", "h4", "table", "thead", "tbody", "tr", "th", "td", "p", "ul", "li", "code", "br", "strong"];
    expect(tags.filter((tag) => !expected.includes(tag.replace("/", "")))).toEqual([]);
    const count = (name: string): number => tags.filter((tag) => tag === name).length;
    expect([count("h3"), count("h4"), count("table"), count("tr"), count("td"), count("li")]).toEqual([
      1, 5, 1, 4, 12, 2,
    ]);
    // GitHub links these once the HTML is made.
    expect(html.replaceAll(/<code>.*?<\/code>/gsu, "")).not.toMatch(/@\w|\w#\d|#\d|\bGH-\d/u);
  },
  pretty: () => undefined,
  sarif(printed) {
    const log = JSON.parse(printed) as unknown;
    expect(isSarif(log), JSON.stringify(isSarif.errors, undefined, 1)).toBe(true);
    const { runs } = log as { readonly runs: readonly [{ readonly results: unknown }] };
    expect(JSON.stringify(runs[0].results).match(/"text":"[^"]*\]\(/gu)).toBeNull();
  },
};

describe.each(Object.keys(reportFormats) as FormatName[])("%s", (name) => {
  test.each(Object.entries(canaries))("keeps %s inert in every field", async (_, text) => {
    const { print } = await reportFormats[name]();
    const printed = print(reportOf(text), { paint: paintPlain, columns: 80, prefix: "", showsNotes: true });
    expect(printed.match(/(?!\n)[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu)).toBeNull();
    expect(printed).not.toMatch(/##[a-z]*\[/iu);
    // JSON and SARIF are read by programs, which need the text itself.
    if (name !== "json" && name !== "sarif") expect(printed).not.toMatch(/[\u0590-\u08ff\ufb1d\u{10900}\u{1e900}]/u);
    if (name !== "github") expect(printed).not.toMatch(/^\s*::/mu);
    // What is between tags of XML forges nothing.
    if (name !== "junit") expect(printed).not.toMatch(new RegExp(`^\\s*${FORGED}`, "mu"));
    read[name](printed, text);
  });
});
