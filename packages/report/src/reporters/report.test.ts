import { describe, expect, test } from "vitest";
import { type Diagnostic, type Location, type Position, printVisibleText } from "@hasp/base/diagnostics";
import type { RuleFacts } from "@hasp/compiler/model";
import { printCodeFrame } from "./code-frame.js";
import { cutToWidth, displayWidth } from "./display-width.js";
import { type FormatName, reportFormats } from "./index.js";
import { paintInColour, paintPlain, wantsColour } from "./paint.js";
import { sortBySeverity, type Report, type ReportView } from "./report.js";

const ESCAPE = "\u001b";
const view: ReportView = { paint: paintPlain, columns: 80, prefix: "", showsNotes: true };

function at(text: string, part: string, uri = "a.tool.yaml"): Location {
  const position = (offset: number): Position => {
    const before = text.slice(0, offset).split("\n");
    return { offset, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  };
  const start = text.indexOf(part);
  if (start === -1) throw new Error(`no ${part} in the text`);
  return { uri, pointer: "", range: { start: position(start), end: position(start + part.length) } };
}

function frame(text: string, part: string, columns = 80): string {
  return printCodeFrame(text.split("\n"), at(text, part).range, columns, paintPlain);
}

const text = "hasp: 1\nname: a\ninput: { type: sting }\n";
const error: Diagnostic = {
  code: "schema/unknown-type",
  severity: "error",
  message: 'There is no type "sting".',
  help: "Did you mean string?",
  tool: "a",
  location: at(text, "sting"),
};
const warning: Diagnostic = {
  code: "project/odd",
  severity: "warning",
  message: "Something | <odd> & `strange`\nin two lines.",
};
interface SarifLog {
  readonly runs: readonly {
    readonly results: readonly { readonly partialFingerprints: Readonly<Record<string, unknown>> }[];
    readonly tool: { readonly driver: { readonly rules: readonly unknown[] } };
  }[];
}

async function sarifOf(diagnostics: readonly Diagnostic[], rules: readonly RuleFacts[] = []): Promise<SarifLog> {
  return JSON.parse(
    (await reportFormats.sarif()).print({ diagnostics, sources: new Map(), summary: {}, rules }, view),
  ) as SarifLog;
}

const report: Report = {
  diagnostics: [error, warning],
  sources: new Map([["a.tool.yaml", text]]),
  summary: { tools: 1 },
};

describe("claims that nobody has approved", () => {
  const claim = (tool: string, index: number): Diagnostic => ({
    code: "ledger/not-approved",
    severity: "error",
    message: `Nobody has approved "claim ${index}"; the claim loosens a strict default.`,
    tool,
  });
  const claims = Array.from("abcdefabcdef", claim);
  const print = async (name: FormatName, diagnostics: readonly Diagnostic[]): Promise<string> =>
    (await reportFormats[name]()).print({ ...report, diagnostics: sortBySeverity(diagnostics) }, view);

  test("many claims are one line with the command where they would hide other findings", async () => {
    const printed = await print("pretty", [...claims, error, warning]);
    expect(printed).toMatch(
      /There is no type "sting"[\s\S]*\n\nerror {2}Nobody has approved 12 claims of a, b, c, d, e and f\./u,
    );
    expect(printed).toContain('\n  help  Once nothing else is wrong, run: hasp approve --reason "why it is safe"\n');
    expect(printed).not.toContain("claim 1");
    const few = await print("pretty", [...claims.slice(0, 3), error]);
    expect([few.includes("claim 2"), few.includes("3 claims")]).toEqual([true, false]);
    const alone = await print("pretty", claims);
    expect([alone.includes("claim 11"), alone.includes("12 claims")]).toEqual([true, false]);
  });

  test("claims come behind all other errors, so that a limit of a format cuts none of those", async () => {
    const many = Array.from({ length: 120 }, (_, index) => claim("a", index));
    expect(await print("markdown", [...many, error])).toContain("There is no type");
    expect(sortBySeverity([...claims, warning, error]).map(({ code }) => code)).toEqual([
      error.code,
      ...claims.map(({ code }) => code),
      warning.code,
    ]);
  });
});

describe("code frames", () => {
  test("a code frame shows the line, its neighbours and the place", () => {
    expect(frame(text, "sting")).toBe(
      ["  2 │ name: a", "> 3 │ input: { type: sting }", "    │                ^^^^^"].join("\n"),
    );
  });

  test("put the mark under wide characters and tabs", () => {
    expect(frame("名前: {\tbad }", "bad")).toBe(["> 1 │ 名前: {  bad }", "    │          ^^^"].join("\n"));
    expect(displayWidth("名前: {  ")).toBe(9);
  });

  test("show stars for a secret, and the mark in its place", () => {
    const token = `ghp_${"a1".repeat(18)}`;
    expect(frame(`key: ${token}, bad`, "bad")).toBe(
      [`> 1 │ key: ${"*".repeat(40)}, bad`, `    │ ${" ".repeat(47)}^^^`].join("\n"),
    );
  });

  test("cut long lines around the mark, within the columns", () => {
    const line = `${"x".repeat(500)} bad ${"y".repeat(500)}`;
    const lines = frame(line, "bad", 60).split("\n");
    expect(lines).toHaveLength(2);
    for (const shown of lines) expect(displayWidth(shown)).toBeLessThanOrEqual(60);
    const column = lines[1]?.indexOf("^^^") ?? -1;
    expect(lines[0]?.slice(column, column + 3)).toBe("bad");
    expect(lines[0]).toMatch(/│ ….*…$/u);
  });

  test("shows only the text around a place in a line of megabytes", () => {
    const line = `${"é ".repeat(1_000_000)}bad${" é".repeat(1_000_000)}`;
    const [shown = "", mark = ""] = frame(line, "bad", 80).split("\n");
    const column = mark.indexOf("^^^");
    expect(shown.slice(column, column + 3)).toBe("bad");
  });

  test("mark only the first line of a place that spans several, and at least one column", () => {
    expect(frame("a: b\nc: d", "b\nc")).toContain("> 1 │ a: b\n    │    ^\n");
    const empty = { ...at("abc", "b").range };
    expect(printCodeFrame(["abc"], { start: empty.start, end: empty.start }, 80, paintPlain)).toContain("│  ^");
  });

  test("a code frame survives a place behind the end of the text", () => {
    const start = { offset: 99, line: 40, column: 7 };
    expect(printCodeFrame(["a"], { start, end: start }, 80, paintPlain)).toBe(["> 1 │ a", "    │  ^"].join("\n"));
  });
});

describe("text of strangers", () => {
  test("cannot drive the terminal", () => {
    const hostile = `${ESCAPE}[2J${ESCAPE}]0;owned\u0007\u202egnp.exe\u200b\u2028\ud800\r`;
    expect(printVisibleText(hostile)).toBe(
      "\\u{1b}[2J\\u{1b}]0;owned\\u{7}\\u{202e}gnp.exe\\u{200b}\\u{2028}\\u{d800}\\r",
    );
  });

  test.each(Object.keys(reportFormats))("has no raw control character in the format %s", async (name) => {
    const hostile = `a: ${ESCAPE}[31mred\u0007 bad`;
    const location = at(hostile, "bad", `${ESCAPE}[2J.yaml`);
    const { print } = await reportFormats[name as keyof typeof reportFormats]();
    const printed = print(
      {
        diagnostics: [
          { ...error, message: `${ESCAPE}[2J message`, help: `${ESCAPE}[1m help`, code: `x/${ESCAPE}y`, location },
        ],
        sources: new Map([[location.uri, hostile]]),
        summary: {},
      },
      view,
    );
    expect([...printed].filter((character) => /\p{Cc}/u.test(character) && character !== "\n")).toEqual([]);
  });

  test("is measured and cut as a terminal shows it", () => {
    expect(displayWidth("e\u0301")).toBe(1);
    expect(displayWidth("👍🏽")).toBe(2);
    expect(displayWidth("日本")).toBe(4);
    expect(cutToWidth("日本語", 5)).toBe("日本…");
    expect(cutToWidth("short", 5)).toBe("short");
  });
});

describe("colours", () => {
  test("follows NO_COLOR, FORCE_COLOR and the terminal", () => {
    expect(wantsColour({}, true)).toBe(true);
    expect(wantsColour({}, false)).toBe(false);
    expect(wantsColour({ NO_COLOR: "1" }, true)).toBe(false);
    expect(wantsColour({ NO_COLOR: "" }, true)).toBe(true);
    expect(wantsColour({ FORCE_COLOR: "1", NO_COLOR: "1" }, false)).toBe(true);
    expect(wantsColour({ FORCE_COLOR: "0" }, true)).toBe(false);
    expect(wantsColour({ TERM: "dumb" }, true)).toBe(false);
    expect(paintInColour("error", "x")).toContain(ESCAPE);
  });
});

describe("formats", () => {
  test("pretty groups by file, shows the place and counts", async () => {
    const pretty = (await reportFormats.pretty()).print(report, { ...view, prefix: "tools/" });
    expect(pretty).toContain("tools/a.tool.yaml");
    expect(pretty).toContain('3:16  error  There is no type "sting".  schema/unknown-type');
    expect(pretty).toContain("help  Did you mean string?");
    expect(pretty.endsWith("1 error and 1 warning\n")).toBe(true);
    expect((await reportFormats.pretty()).print({ ...report, diagnostics: [] }, view)).toBe("");
  });

  test("pretty shows twenty findings of one code, and counts the rest", async () => {
    const many = Array.from({ length: 50 }, (_, index) => ({ ...warning, message: `w${index}` }));
    const errors = Array.from({ length: 50 }, (_, index) => ({ ...error, message: `e${index}` }));
    const pretty = (await reportFormats.pretty()).print({ ...report, diagnostics: [...many, ...errors] }, view);
    expect(pretty).toContain("… and 30 more project/odd");
    expect(pretty).toContain("… and 30 more schema/unknown-type");
    expect(pretty).not.toContain("e20");
  });

  test("json has every key of every diagnostic", async () => {
    const parsed: unknown = JSON.parse((await reportFormats.json()).print({ ...report, data: { extra: true } }, view));
    expect(parsed).toEqual({
      diagnostics: [
        {
          code: "schema/unknown-type",
          severity: "error",
          message: 'There is no type "sting".',
          tool: "a",
          uri: "a.tool.yaml",
          line: 3,
          column: 16,
          pointer: "",
          help: "Did you mean string?",
          data: null,
          fix: null,
        },
        {
          code: "project/odd",
          severity: "warning",
          message: warning.message,
          tool: null,
          uri: null,
          line: null,
          column: null,
          pointer: null,
          help: null,
          data: null,
          fix: null,
        },
      ],
      extra: true,
      summary: { errors: 1, warnings: 1, infos: 0, tools: 1 },
    });
  });

  test("github writes one command a finding and escapes what would end it", async () => {
    const lines = (await reportFormats.github())
      .print(report, { ...view, prefix: "tools/" })
      .trimEnd()
      .split("\n");
    expect(lines).toEqual([
      '::error file=tools/a.tool.yaml,line=3,col=16,endLine=3,endColumn=21,title=schema/unknown-type::There is no type "sting".%0ADid you mean string?',
      "::warning title=project/odd::Something | <odd> & `strange`%0Ain two lines.",
    ]);
  });

  test("junit is well-formed, and only errors fail", async () => {
    const junit = (await reportFormats.junit()).print(report, view);
    expect(junit).toContain('<testsuites name="hasp" tests="2" failures="1">');
    expect(junit).toContain("&lt;odd&gt; &amp; `strange`\nin two lines.");
    const open = [...junit.matchAll(/<(\w[\w-]*)(?:\s[^>]*[^/])?>/g)].map((match) => match[1]);
    const closed = [...junit.matchAll(/<\/([\w-]+)>/g)].map((match) => match[1]);
    expect(open.toSorted()).toEqual(closed.toSorted());
    expect((await reportFormats.junit()).print({ ...report, diagnostics: [] }, view)).toContain(
      'tests="1" failures="0"',
    );
    const cases = [
      { suite: "a", name: "one", status: "passed", message: "" },
      { suite: "a", name: "two", status: "failed", message: "no & never" },
      { suite: "b", name: "three", status: "skipped", message: "later" },
    ] as const;
    const tests = (await reportFormats.junit()).print({ ...report, cases }, view);
    expect(tests).toContain('<testsuite name="a" tests="2" failures="1" skipped="0">');
    expect(tests).toContain('<failure message="no &amp; never">no &amp; never</failure>');
    expect(tests).toContain('<skipped message="later" />');
    // Findings without a test must not be lost beside the tests.
    expect(tests).toContain('name="schema/unknown-type at 3:16"');
    const failed: Diagnostic = { ...error, code: "cli/test-failed" };
    const once = (await reportFormats.junit()).print({ ...report, diagnostics: [failed], cases }, view);
    expect(once).toContain('tests="3"');
    expect(once).not.toContain("cli/test-failed");
  });

  test("sarif points into the file", async () => {
    const log = JSON.parse((await reportFormats.sarif()).print(report, view)) as {
      runs: { results: unknown[]; tool: { driver: { rules: unknown[] } } }[];
    };
    expect(log.runs[0]?.tool.driver.rules).toMatchObject([
      { id: "project/odd" },
      {
        id: "schema/unknown-type",
        helpUri: expect.stringMatching(/^https:.*\/diagnostics\/schema\.md$/u),
        help: { text: "Run: hasp show schema/unknown-type" },
      },
    ]);
    expect(log.runs[0]?.results[0]).toMatchObject({
      ruleId: "schema/unknown-type",
      ruleIndex: 1,
      level: "error",
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: "a.tool.yaml" },
            region: { startLine: 3, startColumn: 16, endColumn: 21 },
          },
        },
      ],
    });
  });

  test("sarif tells what is known of a rule", async () => {
    const rule: RuleFacts = {
      id: "naming/vague-name",
      severity: "warning",
      summary: "A name says what its tool does.",
      why: "Models choose by names.",
      examples: { bad: [{ spec: "hasp: 1\nname: do_it\n" }], good: [] },
    };
    const log = await sarifOf([{ ...error, code: rule.id }], [rule]);
    expect(log.runs[0]?.tool.driver.rules[0]).toMatchObject({
      id: "naming/vague-name",
      name: "VagueName",
      helpUri: expect.stringMatching(/^https:.*\/rules\.md#namingvague-name$/u),
      defaultConfiguration: { level: "warning" },
      properties: { tags: ["naming"] },
      help: { markdown: expect.stringContaining("```yaml\nhasp: 1\nname: ") as string },
    });
  });

  test("sarif: a fingerprint stays as long as its finding does, whatever happens around it", async () => {
    const print = async (diagnostics: readonly Diagnostic[]): Promise<readonly unknown[]> =>
      (await sarifOf(diagnostics)).runs[0]?.results.map((result) => result.partialFingerprints["haspPlace/v1"]) ?? [];
    const placed: Diagnostic = { ...error, location: { ...at(text, "sting"), pointer: "/input/type" } };
    const moved: Diagnostic = {
      ...placed,
      message: "Other words.",
      location: { ...at(`\n\n${text}`, "sting"), pointer: "/input/type" },
    };
    const [first] = await print([placed]);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(await print([moved])).toEqual([first]);
    expect(await print([warning, moved])).toContain(first);
    // Two of a kind at one place, and another tool, are different findings.
    const many = await print([placed, placed, { ...placed, tool: "b" }, { ...placed, code: "schema/other" }]);
    expect(new Set(many).size).toBe(4);
    expect(many[0]).toBe(first);
  });

  test("pretty counts the warnings that another command prints", async () => {
    const { print } = await reportFormats.pretty();
    const both: Report = { ...report, diagnostics: [warning, error] };
    const calm = { ...view, showsNotes: false };
    expect(print(both, calm)).toContain(warning.code);
    const counted = print({ ...both, repeated: new Set([warning, error]) }, calm);
    expect(counted).not.toContain(warning.code);
    expect(counted).toContain(error.code);
    expect(counted).toMatch(/1 error and 1 warning.*; --verbose prints all/);
    expect(print({ ...both, repeated: new Set([warning]) }, view)).toContain(warning.code);
  });

  test("markdown and sarif put errors first and leave notes out unless asked", async () => {
    const notes = Array.from({ length: 200 }, (_, index): Diagnostic => ({
      code: `size/note-${index}`,
      severity: "info",
      message: "A note.",
    }));
    const many: Report = { ...report, diagnostics: [...notes, warning, error] };
    const calm = { ...view, showsNotes: false };
    const lines = (await reportFormats.markdown()).print(many, calm).trimEnd().split("\n");
    expect(lines[0]).toBe("### hasp: 1 error, 1 warning, 200 notes");
    expect(lines.slice(4).map((line) => line.split(" ")[1])).toEqual(["error", "warning"]);
    const all = (await reportFormats.markdown()).print(many, view);
    expect(all.split("\n")[4]).toContain("| error |");
    const levels = (printed: string): readonly string[] =>
      (JSON.parse(printed) as { runs: { results: { level: string }[] }[] }).runs.flatMap(({ results }) =>
        results.map(({ level }) => level),
      );
    expect(levels((await reportFormats.sarif()).print(many, calm))).toEqual(["warning", "error"]);
    expect(levels((await reportFormats.sarif()).print(many, view))).toHaveLength(202);
  });

  test("markdown keeps the table whole", async () => {
    const lines = (await reportFormats.markdown()).print(report, view).trimEnd().split("\n");
    expect(lines[0]).toBe("### hasp: 1 error, 1 warning, no notes");
    expect(lines.slice(2).map((line) => line.match(/(?<!\\)\|/g)?.length)).toEqual([5, 5, 5, 5]);
    expect(lines.at(-1)).toContain("\\<odd\\>");
  });
});
