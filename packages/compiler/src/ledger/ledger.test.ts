import { describe, expect, test } from "vitest";
import type { SourceText } from "../model/document.js";
import type { CompilePlan } from "../model/plan.js";
import type { FlatTool } from "../model/tool.js";
import { flatTools, plainPlan } from "../../../../test/compiler/flat-tools.testing.js";
import { spec } from "../plugins/example-spec.js";
import { testContext } from "../../../../test/compiler/context.testing.js";
import { approve, pruneLedger } from "./approve.js";
import { approveSuggested } from "./approve-suggested.js";
import { checkLedger } from "./check-ledger.js";
import { listPendingClaims, readApprovals } from "./claims.js";

const SPEC = spec`
  name: copy
  description: Copy a file.
  input:
    type: object
    required: [mode]
    properties:
      mode: { enum: [read, write], description: How. }
      path: { type: string }
  concurrency:
    class: UNSAFE
    rules: [{ when: input.mode == 'read', class: READ_ONLY }]
  behavior: { isOpenWorld: false, requiresPermission: { unless: input.mode == 'read' } }
`;

function project(spec: string, ledger?: string, plan: Partial<CompilePlan> = {}) {
  const sources: SourceText[] = [
    { uri: "specs/copy.tool.yaml", text: spec, role: "spec" },
    ...(ledger === undefined ? [] : [{ uri: "hasp-ledger/copy.yaml", text: ledger, role: "ledger" as const }]),
  ];
  const { tools, documents, diagnostics } = flatTools(sources);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const ledgers = documents.filter(({ role }) => role === "ledger");
  const whole = { ...plainPlan, ...plan };
  const approvals = readApprovals(ledgers, tools, whole);
  const findings = checkLedger(tools, testContext({ plan: whole, documents: ledgers }), approvals);
  return {
    tools,
    ledgers,
    pending: listPendingClaims(tools, approvals),
    findings,
    codes: findings.map(
      ({ code, severity, location }) => `${severity} ${code} ${location?.uri}:${location?.range.start.line}`,
    ),
  };
}

function approvedLedger(spec: string = SPEC, expires?: string): string {
  const { pending, ledgers } = project(spec);
  const [file] = approve({
    claims: pending,
    ledgers,
    reason: "looked at",
    on: "2025-12-31",
    ...(expires === undefined ? {} : { expires }),
  });
  return file?.text ?? "";
}

describe("what nobody has approved", () => {
  test("is an error at each claim, which nothing suppresses", () => {
    const { codes, findings } = project(SPEC);
    expect(codes).toEqual([
      "error ledger/not-approved specs/copy.tool.yaml:12",
      "error ledger/not-approved specs/copy.tool.yaml:13",
      "error ledger/not-approved specs/copy.tool.yaml:13",
    ]);
    expect(findings.every(({ fixed }) => fixed === true)).toBe(true);
  });

  test("is quoted in part where it is long", () => {
    const long = SPEC.replaceAll("input.mode == 'read'", `"input.mode == 'read' ${"&& has(input.path) ".repeat(99)}"`);
    const other = long.replaceAll("== 'read'", "== 'write'");
    const messages = [undefined, approvedLedger(long, "2025-01-01"), approvedLedger(other)].flatMap((ledger) =>
      project(long, ledger).findings.map(({ message }) => message),
    );
    expect(messages.length).toBeGreaterThan(9);
    for (const message of messages) expect(message.length).toBeLessThan(400);
  });

  test("is a warning under --unlocked, still not to be suppressed", () => {
    const { findings } = project(SPEC, undefined, { unlocked: true });
    expect(findings.map(({ severity, fixed }) => [severity, fixed])).toEqual([1, 2, 3].map(() => ["warning", true]));
  });

  test("is shown with an input that benefits from it", () => {
    const { pending } = project(SPEC);
    expect(pending.map(({ claim, state, example }) => [claim, state, example])).toEqual([
      [`concurrency.rules: { when: "input.mode == 'read'", class: READ_ONLY }`, "new", { mode: "read" }],
      ["behavior.isOpenWorld: false", "new", { mode: "read" }],
      [`behavior.requiresPermission: { unless: "input.mode == 'read'" }`, "new", { mode: "read" }],
    ]);
  });
});

describe("an approval", () => {
  test("is written, and answers the findings", () => {
    const ledger = approvedLedger();
    expect(ledger).toMatch(/^# What the spec of copy claims/u);
    expect(ledger).toContain(
      '  - claim: "behavior.isOpenWorld: false"\n    reason: looked at\n    on: 2025-12-31\n    covers: sha256:',
    );
    expect(project(SPEC, ledger).codes).toEqual([]);
    expect(project(SPEC, ledger).pending).toEqual([]);
  });

  test("survives what changes no valid input", () => {
    const ledger = approvedLedger();
    const described = SPEC.replace("description: How.", "description: In which way., examples: [read]").replace(
      "Copy a file",
      "Copies",
    );
    expect(project(described, ledger).codes).toEqual([]);
  });

  test("survives an input that is proved narrower, and none that is wider or whose record was edited", () => {
    const within = (path: string): string => SPEC.replace("path: { type: string }", () => `path: ${path}`);
    const ledger = approvedLedger(within("{ type: string, maxLength: 40, pattern: '^[a-z]+$' }"));
    const codes = (path: string, text = ledger): readonly (string | undefined)[] =>
      project(within(path), text).codes.map((code) => code.split(" ")[1]);
    expect(codes("{ type: string, maxLength: 39, pattern: '^[a-z]+$' }")).toEqual([]);
    expect(codes("{ type: string, maxLength: 40, pattern: '^[a-c]+$' }")).toEqual([]);
    expect(codes("{ enum: [a, b] }")).toEqual([]);
    expect(codes("{ type: string, maxLength: 41, pattern: '^[a-z]+$' }")).toEqual(["ledger/stale"]);
    expect(codes("{ type: string, maxLength: 40, pattern: '^[a-z0-9]+$' }")).toEqual(["ledger/stale"]);
    const edited = ledger.replaceAll('"maxLength":40', '"maxLength":400');
    expect(edited).not.toBe(ledger);
    expect(codes("{ type: string, maxLength: 41, pattern: '^[a-z]+$' }", edited)).toEqual(["ledger/stale"]);
    expect(codes("{ type: string, maxLength: 39, pattern: '^[a-z]+$' }", edited)).toEqual(["ledger/stale"]);
    const broken = ledger.replace("input: '{", "input: '{{");
    expect(codes("{ type: string, maxLength: 39, pattern: '^[a-z]+$' }", broken)).toContain("ledger/malformed");
  });

  test.each([
    ["{ type: [string, 'null'] }", "{ type: string }"],
    ["{ enum: [a, null] }", "{ enum: [a] }"],
    ["{ type: [string, integer] }", "{ type: integer }"],
    ["{ type: array, items: { type: [string, boolean] } }", "{ type: array, items: { type: boolean } }"],
    ["{ anyOf: [{ type: string, maxLength: 4 }, { type: 'null' }] }", "{ type: string, maxLength: 4 }"],
    [
      "{ enum: [{ a: '1' }, { a: 1 }] }",
      "{ type: object, properties: { a: { type: integer } }, enum: [{ a: '1' }, { a: 1 }] }",
    ],
  ])("does not survive a change of %s to %s: coercion now reads calls in another way", (earlier, now) => {
    const within = (path: string): string => SPEC.replace("path: { type: string }", () => `path: ${path}`);
    const ledger = approvedLedger(within(earlier));
    const codes = (spec: string): readonly unknown[] => project(spec, ledger).codes.map((code) => code.split(" ")[1]);
    expect(codes(within(now))).toEqual(["ledger/stale"]);
  });

  test.each([
    ["{ type: array }", "{ type: array, prefixItems: [{ type: integer }] }"],
    [
      "{ type: object, additionalProperties: true }",
      "{ type: object, additionalProperties: true, patternProperties: { '^n': { type: integer } } }",
    ],
  ])("does not survive a change of %s to %s: coercion now reads values below in another way", (earlier, now) => {
    const within = (path: string): string => SPEC.replace("path: { type: string }", () => `path: ${path}`);
    const { codes } = project(within(now), approvedLedger(within(earlier)));
    expect(codes.map((code) => code.split(" ")[1])).toEqual(["ledger/stale", "ledger/stale"]);
  });

  test.each([
    ["{ enum: [a, b, c] }", "{ enum: [a, b] }"],
    ["{ type: number }", "{ type: integer }"],
    ["{ type: [string, 'null'], maxLength: 9 }", "{ type: [string, 'null'], maxLength: 8 }"],
    ["{ enum: [1, 2] }", "{ enum: [1] }"],
  ])("survives a change of %s to %s, which refuses what it no longer accepts", (earlier, now) => {
    const within = (path: string): string => SPEC.replace("path: { type: string }", () => `path: ${path}`);
    expect(project(within(now), approvedLedger(within(earlier))).codes).toEqual([]);
  });

  test("does not survive a bound by which empty text now counts as absent", () => {
    const within = (path: string): string =>
      `${SPEC.replace("path: { type: string }", () => `path: ${path}`)}coerce: { emptyText: absent }\n`;
    const ledger = approvedLedger(within("{ type: string }"));
    const { codes } = project(within("{ type: string, minLength: 1 }"), ledger);
    expect(codes.map((code) => code.split(" ")[1])).toEqual(["ledger/stale"]);
  });

  test("does not survive another default, which changes what calls do", () => {
    const within = (path: string): string => SPEC.replace("path: { type: string }", () => `path: ${path}`);
    const ledger = approvedLedger(within("{ type: string, maxLength: 40, default: a }"));
    const codes = (path: string): readonly (string | undefined)[] =>
      project(within(path), ledger).codes.map((code) => code.split(" ")[1]);
    expect(codes("{ type: string, maxLength: 39, default: a, description: shorter }")).toEqual([]);
    expect(codes("{ type: string, maxLength: 40, default: b }")).toEqual(["ledger/stale"]);
    expect(codes("{ type: string, maxLength: 39 }")).toEqual(["ledger/stale"]);
  });

  test("covers the repairs of inputs for every claim, and says nothing of the default", () => {
    const ledger = approvedLedger();
    expect(project(SPEC + "coerce: true\n", ledger).codes).toEqual([]);
    const { pending } = project(SPEC + "coerce: { emptyText: absent }\n", ledger);
    expect(pending.map(({ state }) => state)).toEqual(["stale", "stale", "stale"]);
  });

  test("covers for a rule the fields that it reads, and no others", () => {
    const ledger = approvedLedger();
    const otherField = SPEC.replace("path: { type: string }", "path: { type: [string, integer] }");
    expect(project(otherField, ledger).pending.map(({ claim, state }) => [claim, state])).toEqual([
      ["behavior.isOpenWorld: false", "stale"],
    ]);
    const sameField = SPEC.replace("[read, write]", "[read, write, append]");
    expect(project(sameField, ledger).pending).toHaveLength(3);
  });

  test("covers the whole input for a rule that reads nothing, as for a claim without a condition", () => {
    const spec = SPEC.replace("input.mode == 'read', class: READ_ONLY", '"true", class: READ_ONLY');
    const ledger = approvedLedger(spec);
    expect(project(spec, ledger).codes).toEqual([]);
    expect(
      project(spec.replace("path: { type: string }", "path: { type: string }\n    force: { type: boolean }"), ledger)
        .codes,
    ).not.toEqual([]);
  });

  test("covers the rows above: a row that is taken away lets the next decide more", () => {
    const twoRows = SPEC.replace("rules: [", "rules: [{ when: has(input.path), class: WRITE_EXCLUSIVE }, ");
    const ledger = approvedLedger(twoRows);
    expect(project(twoRows, ledger).codes).toEqual([]);
    const { codes } = project(SPEC, ledger);
    expect(codes.map((code) => code.split(" ")[1])).toEqual(["ledger/stale", "ledger/unused-approval"]);
  });

  test("covers the handler's file for a custom function", () => {
    const custom = SPEC.replace("when: input.mode == 'read'", "custom: isScratch");
    const handlerDigests = { "src/tools/copy.ts": { digest: "one", own: "one" } };
    const { pending, ledgers } = project(custom, undefined, { handlerDigests });
    const ledger = approve({ claims: pending, ledgers, reason: "looked at", on: "2025-12-31" })[0]?.text ?? "";
    expect(project(custom, ledger, { handlerDigests }).codes).toEqual([]);
    const changed = project(custom, ledger, {
      handlerDigests: { "src/tools/copy.ts": { digest: "two", own: "one" } },
    });
    expect(changed.codes).toEqual(["error ledger/stale specs/copy.tool.yaml:12"]);
  });

  test("ends on its last day", () => {
    const ledger = approvedLedger(SPEC, "2026-06-30");
    expect(project(SPEC, ledger, { today: "2026-06-30" }).codes).toEqual([]);
    expect(project(SPEC, ledger, { today: "2026-07-01" }).pending.map(({ state }) => state)).toEqual([
      "expired",
      "expired",
      "expired",
    ]);
  });

  test("is brought up to date where it stands, with its comments", () => {
    const ledger = approvedLedger().replace('  - claim: "behavior', '  # asked the network team\n  - claim: "behavior');
    const changed = SPEC.replace("path: { type: string }", "path: { type: [string, integer] }");
    const { pending, ledgers } = project(changed, ledger);
    const text =
      approve({ claims: pending, ledgers, reason: "still so", expires: "2027-01-01", on: "2025-12-31" })[0]?.text ?? "";
    expect(text).toContain(
      '  # asked the network team\n  - claim: "behavior.isOpenWorld: false"\n    reason: still so\n    on: 2025-12-31\n    covers:',
    );
    expect(project(changed, text).codes).toEqual([]);
    expect(text.match(/looked at/gu)).toHaveLength(2);
  });

  test("says who gave it and when, and forgets who gave it before", () => {
    const { pending, ledgers } = project(SPEC);
    const given = { claims: pending, reason: "looked at", on: "2025-12-31" };
    const first = approve({ ...given, ledgers, by: "Ada <ada@example.com>" })[0]?.text ?? "";
    expect(first).toContain("    by: Ada <ada@example.com>\n    on: 2025-12-31\n    covers:");
    expect(project(SPEC, first).codes).toEqual([]);
    const later = approve({ ...given, ledgers: project(SPEC, first).ledgers, on: "2026-01-01" })[0]?.text ?? "";
    expect(later).toContain("on: 2026-01-01");
    expect(later).not.toContain("by:");
    expect(project(SPEC, later).codes).toEqual([]);
  });

  test("needs a reason and a real day", () => {
    for (const reason of [" ", "\u200b\u2060"]) {
      expect(() => approve({ claims: [], ledgers: [], reason, on: "2025-12-31" })).toThrow(/reason/u);
    }
    expect(() => approve({ claims: [], ledgers: [], reason: "x", expires: "2026-02-30", on: "2025-12-31" })).toThrow(
      /2026-02-30/u,
    );
    expect(() => approve({ claims: [], ledgers: [], reason: "x", on: "2026-02-30" })).toThrow(/2026-02-30/u);
  });
});

describe("a ledger edited by hand", () => {
  test.each([
    ["approved: yes", ["error ledger/malformed"]],
    ["- claim: x", ["error ledger/malformed"]],
    ["approved: [{ claim: x, reason: y }]", ["error ledger/malformed"]],
    ["approved: [{ claim: x, reason: '', covers: z }]", ["error ledger/malformed"]],
    ['approved: [{ claim: x, reason: "\\u200b\\u2060", covers: z }]', ["error ledger/malformed"]],
    ['approved: [{ claim: x, reason: "\\ufe0f\\u2800\\u3164", covers: z }]', ["error ledger/malformed"]],
    ["approved: [{ claim: x, reason: y, covers: z, by: [me] }]", ["error ledger/malformed"]],
    ["approved: [{ claim: x, reason: y, covers: z, by: ' ' }]", ["error ledger/malformed"]],
    ["approved: [{ claim: x, reason: y, covers: z, on: yesterday }]", ["error ledger/malformed"]],
    ["approved: [{ claim: x, reason: y, covers: z, expires: soon }]", ["error ledger/malformed"]],
    ["approved: []\nnotes: x", ["error ledger/malformed"]],
    ["approved: [{ claim: x, reason: y, covers: z }]", ["warning ledger/unused-approval"]],
  ])("is judged by its entries: %j", (ledger, expected) => {
    const plain = SPEC.replace(/^concurrency:[^]*$/mu, "");
    expect(project(plain, `${ledger}\n`).codes.map((code) => code.split(" ").slice(0, 2).join(" "))).toEqual(expected);
  });

  test("an approval that takes effect after today is malformed, and approves nothing until its day", () => {
    const ledger = approvedLedger();
    const eve = project(SPEC, ledger, { today: "2025-12-30" });
    expect(eve.codes.filter((code) => code.includes("ledger/malformed"))).toEqual([
      "error ledger/malformed hasp-ledger/copy.yaml:5",
      "error ledger/malformed hasp-ledger/copy.yaml:9",
      "error ledger/malformed hasp-ledger/copy.yaml:14",
    ]);
    expect(eve.findings.find(({ code }) => code === "ledger/malformed")?.message).toContain(
      '"on" is the day of the approval, and 2025-12-31 has not come yet: today is 2025-12-30 (UTC).',
    );
    expect(eve.pending.map(({ state }) => state)).toEqual(["new", "new", "new"]);
    expect(project(SPEC, ledger, { today: "2025-12-31" }).codes).toEqual([]);
  });

  test("a digest that was changed approves nothing", () => {
    const forged = approvedLedger().replaceAll(/sha256:\w+/gu, "sha256:0");
    expect(project(SPEC, forged).pending.map(({ state }) => state)).toEqual(["stale", "stale", "stale"]);
  });

  test("an entry moved to another claim approves nothing", () => {
    const ledger = approvedLedger();
    const digests = [...ledger.matchAll(/sha256:\w+/gu)].map(([digest]) => digest);
    const moved = ledger
      .replace(digests[1] ?? "", "X")
      .replace(digests[2] ?? "", digests[1] ?? "")
      .replace("X", digests[2] ?? "");
    expect(project(SPEC, moved).pending).toHaveLength(2);
  });

  test("two entries for one claim are one too many", () => {
    const ledger = approvedLedger();
    const first = ledger.slice(
      ledger.indexOf("  - claim"),
      ledger.indexOf("  - claim", ledger.indexOf("  - claim") + 1),
    );
    expect(project(SPEC, ledger + first).codes).toEqual([expect.stringContaining("ledger/twice-approved")]);
  });

  test("a tool that is not there", () => {
    const { codes } = project(SPEC.replace("name: copy", "name: move"), approvedLedger());
    expect(codes[0]).toBe("warning ledger/unknown-tool hasp-ledger/copy.yaml:4");
  });
});

describe("pruning", () => {
  const claimsOf = (tools: readonly FlatTool[]): ReadonlyMap<string, readonly string[]> =>
    new Map(tools.map(({ name, relaxations }) => [name, relaxations.map(({ claim }) => claim)]));

  test("takes away what no tool claims, and keeps comments", () => {
    const ledger = approvedLedger().replace("approved:", "# ours\napproved:");
    const tightened = SPEC.replace("isOpenWorld: false, ", "");
    const { tools, ledgers } = project(tightened, ledger);
    const { files, removed } = pruneLedger(claimsOf(tools), ledgers);
    expect(removed).toEqual([{ tool: "copy", claim: "behavior.isOpenWorld: false" }]);
    expect(files[0]?.text).toContain("# ours");
    expect(project(tightened, files[0]?.text).codes).toEqual([]);
  });

  test("deletes the file of a tool that is gone, and leaves good ones alone", () => {
    const gone = project(SPEC.replace("name: copy", "name: move"), approvedLedger());
    expect(pruneLedger(claimsOf(gone.tools), gone.ledgers).files).toEqual([
      { path: "hasp-ledger/copy.yaml", text: undefined },
    ]);
    const good = project(SPEC, approvedLedger());
    expect(pruneLedger(claimsOf(good.tools), good.ledgers)).toEqual({ files: [], removed: [] });
  });
});

const BEGINNING = spec`
  name: find   # a good name
  description: >-
    Find something, over
    two lines.
  input: { type: "object", properties: {} }
`;

describe("suggested claims", () => {
  const suggest = (lines: string) => `# yaml-language-server: $schema=x\n${BEGINNING}${lines}`;

  const moved = (text: string, uri = "find.tool.yaml") => {
    const { tools, diagnostics } = flatTools([{ uri, text, role: "spec" }]);
    expect(diagnostics).toEqual([]);
    const { files, claims } = approveSuggested(tools);
    return { text: files[0]?.text, claims: claims.map(({ claim, outcome }) => `${outcome} ${claim}`) };
  };

  test("move into the spec; everything else stays as it was written", () => {
    const result = moved(
      suggest(
        "# from the server\norigin:\n  kind: mcp\n  suggested:\n    from: annotations\n    class: READ_ONLY\n    isOpenWorld: false\n# the end\n",
      ),
    );
    expect(result.text).toBe(
      suggest(
        "# from the server\norigin:\n  kind: mcp\nconcurrency: { class: READ_ONLY }\nbehavior: { isOpenWorld: false }\n# the end\n",
      ),
    );
    expect(result.claims).toEqual(["moved concurrency.class: READ_ONLY", "moved behavior.isOpenWorld: false"]);
  });

  test("join what is there, in its own style", () => {
    const flow = moved(
      suggest(
        "behavior: { requiresPermission: true } # ask\norigin: { kind: mcp, suggested: { from: x, isDestructive: false } }\n",
      ),
    );
    expect(flow.text).toBe(
      suggest("behavior: { isDestructive: false, requiresPermission: true } # ask\norigin: { kind: mcp }\n"),
    );
    const block = moved(
      suggest(
        "origin: { kind: mcp, suggested: { from: x, isIdempotent: true } }\nbehavior:\n  # ask\n  requiresPermission: true # yes\nowner: me\n",
      ),
    );
    expect(block.text).toBe(
      suggest(
        "origin: { kind: mcp }\nbehavior:\n  # ask\n  requiresPermission: true # yes\n  isIdempotent: true\nowner: me\n",
      ),
    );
  });

  test("never beat what the author states", () => {
    const result = moved(
      suggest("concurrency: { class: UNSAFE }\norigin: { kind: mcp, suggested: { from: x, class: READ_ONLY } }\n"),
    );
    expect(result).toEqual({
      text: suggest("concurrency: { class: UNSAFE }\norigin: { kind: mcp }\n"),
      claims: ["stated concurrency.class: READ_ONLY"],
    });
  });

  test("keeps a suggestion in place if the format does not know it", () => {
    const result = moved(suggest("origin:\n  suggested:\n    from: x\n    mood: calm\n    isOpenWorld: false\n"));
    expect(result.text).toBe(
      suggest("origin:\n  suggested:\n    from: x\n    mood: calm\nbehavior: { isOpenWorld: false }\n"),
    );
  });

  test("move in JSON and in files of several tools", () => {
    const json =
      '{\n  "hasp": 1,\n  "name": "find",\n  "description": "Find.",\n  "input": { "type": "object", "properties": {} },\n  "origin": { "suggested": { "from": "x", "isOpenWorld": false } }\n}\n';
    expect(JSON.parse(moved(json, "find.tool.json").text ?? "")).toMatchObject({
      name: "find",
      behavior: { isOpenWorld: false },
    });
    const list =
      "hasp: 1\ntools:\n  - name: a\n    description: A.\n    input: { type: object, properties: {} }\n    origin: { suggested: { from: x, class: READ_ONLY } }\n  - origin: { suggested: { from: x, isOpenWorld: false } }\n    name: b # second\n    description: B.\n    input: { type: object, properties: {} }\n";
    const { text = "" } = moved(list, "all.tools.yaml");
    expect(text).toContain("    concurrency: { class: READ_ONLY }\n  - ");
    expect(text).not.toContain("suggested");
    expect(text).toContain("# second");
    expect(moved(text, "all.tools.yaml").claims).toEqual([]);
  });
});

describe("a ledger that could be read in two ways", () => {
  const check = (ledgers: Readonly<Record<string, string>>) => {
    const sources: SourceText[] = [
      { uri: "specs/copy.tool.yaml", text: SPEC, role: "spec" },
      ...Object.entries(ledgers).map(([path, text]) => ({ uri: `hasp-ledger/${path}`, text, role: "ledger" as const })),
    ];
    const { tools, documents, diagnostics } = flatTools(sources);
    const approvals = readApprovals(documents, tools, plainPlan);
    const found = checkLedger(tools, testContext({ plan: plainPlan, documents }), approvals);
    return {
      codes: [...diagnostics, ...found].map(({ code }) => code),
      states: listPendingClaims(tools, approvals).map(({ state }) => state),
    };
  };
  const whole = approvedLedger();
  const [first = "", second = ""] = whole.split(/^(?= {2}- )/mu).slice(1);

  test("approves where there is one, with either ending", () => {
    for (const path of ["copy.yaml", "copy.yml"]) expect(check({ [path]: whole })).toEqual({ codes: [], states: [] });
  });

  test.each([
    ["the same twice", whole, whole],
    ["one of them empty", whole, "approved: []\n"],
    ["the other one empty", "approved: []\n", whole],
  ])("is an error for two files: %s", (_, yaml, yml) => {
    const { codes, states } = check({ "copy.yaml": yaml, "copy.yml": yml });
    expect(codes).toEqual(["ledger/two-ledgers"]);
    expect(states).toEqual(["new", "new", "new"]);
  });

  test.each([
    ["an alias for a row", `approved:\n${first.replace("- ", "- &a\n    ")}  - *a\n`, 2],
    [
      "an alias for a reason",
      `approved:\n${first.replace("looked", "&r looked")}${second.replace("looked at", "*r")}`,
      2,
    ],
    ["an anchor alone", `approved:\n${first.replace("looked", "&r looked")}`, 1],
    ["an alias as a key", `approved:\n${first.replace("claim:", "&k claim:")}${second.replace("claim:", "*k :")}`, 1],
  ])("is malformed with %s", (_, text, count) => {
    const { codes } = check({ "copy.yaml": text });
    const refused = codes.filter((code) => code === "ledger/malformed" || code === "load/key-not-string");
    expect(refused).toHaveLength(count);
    expect(codes.filter((code) => code === "ledger/not-approved").length).toBeGreaterThan(0);
  });

  test("is malformed with a merge key", () => {
    const { codes } = check({ "copy.yaml": `approved:\n${first.replace("- ", "- <<: { reason: x }\n    ")}` });
    expect(codes.length).toBeGreaterThan(0);
    expect(codes).toContain("load/merge-key");
  });

  test("holds an ampersand or an asterisk in a text", () => {
    const { codes } = check({ "copy.yaml": whole.replaceAll("looked at", "'looked & *found*'") });
    expect(codes).toEqual([]);
  });
});
