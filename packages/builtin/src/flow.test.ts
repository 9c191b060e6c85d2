import type { FlowSetting } from "@hasp/runtime";
import type { JsonObject } from "@hasp/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compile, compileVersion } from "../../../test/compiler/built-in.testing.js";
import type { PolicyRuleSpec, PolicySpec } from "@hasp/compiler/claims";
import { completePlan } from "@hasp/compiler/model";
import { compareVersions, type Version } from "@hasp/compiler/diff";
import {
  approve,
  readApprovals,
  findToolsetFlows,
  type FlowGuard,
  hasPath,
  listNotedSinks,
  listPendingPolicyClaims,
} from "@hasp/compiler/claims";
import type { SourceText } from "@hasp/compiler";

interface ExampleTool {
  readonly behavior?: JsonObject;
  readonly rules?: readonly JsonObject[];
}

type ExampleTools = { readonly [name: string]: ExampleTool };

const PAGE: ExampleTool = { behavior: { returnsPrivate: false, isOpenWorld: false } };
const ROW: ExampleTool = { behavior: { returnsUntrusted: false, isOpenWorld: false } };
const MAIL: ExampleTool = {
  behavior: { returnsUntrusted: false, returnsPrivate: false, isDestructive: false, requiresPermission: false },
};
const ASKED: ExampleTool = { behavior: { returnsUntrusted: false, returnsPrivate: false } };
const PLAIN: ExampleTool = { behavior: { returnsUntrusted: false, returnsPrivate: false, isOpenWorld: false } };
const BOTH: ExampleTool = { behavior: { isOpenWorld: false } };
const TOOLS: ExampleTools = { read_page: PAGE, find_row: ROW, send_mail: MAIL };
const PATH = "read_page + find_row → send_mail";
const WAIVER: PolicyRuleSpec = { tool: "send_mail", decision: "allow", flow: "allow" };
const WAIVED: PolicySpec = { rules: [WAIVER] };

function sourcesOf(tools: ExampleTools, policy?: PolicySpec): readonly SourceText[] {
  return [
    ...Object.entries(tools).map(([name, { behavior, rules }]) => ({
      uri: `specs/${name}.tool.yaml`,
      role: "spec" as const,
      text: JSON.stringify({
        hasp: 1,
        name,
        description: "Do one thing. Use it when it is known. Do not use it to look.",
        aliases: [`old_${name}`],
        input: { type: "object", required: ["to"], properties: { to: { enum: ["here", "there"] } } },
        ...(behavior === undefined ? {} : { behavior }),
        ...(rules === undefined ? {} : { concurrency: { class: "UNSAFE", rules } }),
      }),
    })),
    ...(policy === undefined
      ? []
      : [{ uri: "policies/all.yaml", role: "policy" as const, text: JSON.stringify({ hasp: 1, ...policy }) }]),
  ];
}

const planOf = (policy?: PolicySpec, flow?: FlowSetting): ReturnType<typeof completePlan> =>
  completePlan({
    dialects: [],
    toolsets: [
      {
        name: "all",
        include: "all",
        exclude: [],
        policy: policy && "policies/all.yaml",
        ...(flow === undefined ? {} : { flow }),
      },
    ],
  });

const compiled = (
  tools: ExampleTools,
  policy?: PolicySpec,
  { more = [], flow = "ask" }: { readonly more?: readonly SourceText[]; readonly flow?: FlowSetting } = {},
) => compile([...sourcesOf(tools, policy), ...more], planOf(policy, flow), { emits: false });

async function found(tools: ExampleTools, policy?: PolicySpec, flow?: FlowSetting): Promise<readonly string[]> {
  const { diagnostics } = await compiled(tools, policy, flow === undefined ? {} : { flow });
  return diagnostics
    .filter(({ code }) => /^(?:flow|policy)/u.test(code))
    .map(({ code, tool, location }) => `${code} ${tool ?? location?.pointer ?? ""}`.trim());
}

describe("check", () => {
  test("notes each toolset that has a path, with its sinks and sources as data", async () => {
    const { diagnostics } = await compiled({ ...TOOLS, other: PLAIN });
    expect(diagnostics.find(({ code }) => code === "flow/paths")).toMatchObject({
      severity: "info",
      message: expect.stringContaining(PATH) as string,
      data: { toolset: "all", sinks: ["send_mail"], untrusted: ["read_page"], private: ["find_row"] },
    });
  });

  test.each<[string, ExampleTools, PolicySpec | undefined]>([
    ["a source of private data", { read_page: PAGE, send_mail: MAIL }, undefined],
    ["a source of untrusted text", { find_row: ROW, send_mail: MAIL }, undefined],
    ["a sink", { read_page: PAGE, find_row: ROW }, undefined],
    ["a sink that the policy offers", TOOLS, { deny: ["send_*"] }],
  ])("notes nothing if a toolset lacks %s", async (_, tools, policy) => {
    expect(await found(tools, policy)).toEqual([]);
  });

  test("prints a path through sources of one kind, or through the one tool that is both", async () => {
    const messageOf = async (tools: ExampleTools): Promise<string | undefined> =>
      (await compiled(tools)).diagnostics.find(({ code }) => code === "flow/paths")?.message;
    expect(await messageOf({ a_file: BOTH, ...TOOLS })).toContain(`: ${PATH}.`);
    expect(await messageOf({ a_file: BOTH, send_mail: MAIL })).toContain(": a_file → send_mail.");
  });

  test("takes a tool that states nothing for a source of both kinds and a sink", async () => {
    const { diagnostics } = await compiled({ act: {} });
    expect(diagnostics.find(({ code }) => code === "flow/paths")?.message).toContain(
      "act claims nothing about its results and its input",
    );
  });

  test.each<[string, ExampleTool, PolicySpec | undefined, boolean]>([
    ["runs unasked", MAIL, undefined, true],
    ["a policy allows", ASKED, { rules: [{ tool: "send_mail", decision: "allow" }] }, true],
    ["asks for every call", ASKED, undefined, false],
    ["may destroy something", { behavior: { ...MAIL.behavior, isDestructive: true } }, undefined, false],
    ["nobody can be asked about", MAIL, { mode: "unattended" }, false],
    ["a policy waives", MAIL, WAIVED, false],
    [
      "runs unasked only where it reaches nobody",
      {
        behavior: { ...ASKED.behavior },
        rules: [{ when: "input.to == 'here'", class: "READ_ONLY", isOpenWorld: false, requiresPermission: false }],
      },
      undefined,
      false,
    ],
    [
      "claims for some calls that it reaches nobody",
      { behavior: { ...MAIL.behavior, isOpenWorld: { when: "input.to == 'there'" } } },
      undefined,
      false,
    ],
    ["says that it reaches somebody", { behavior: { ...MAIL.behavior, isOpenWorld: true } }, undefined, false],
  ])("warns that the calls of a tool will ask if it %s: %#", async (_, tool, policy, isWarned) => {
    const { diagnostics } = await compiled({ ...TOOLS, send_mail: tool }, policy);
    const warnings = diagnostics.filter(({ code }) => code === "flow/will-ask");
    expect(warnings.map(({ severity, data }) => [severity, data?.["tools"]])).toEqual(
      isWarned ? [["warning", ["send_mail"]]] : [],
    );
    for (const flow of ["off", "note"] as const) {
      expect(await found({ ...TOOLS, send_mail: tool }, policy, flow)).not.toContain("flow/will-ask");
    }
  });

  test("warns once of all tools of a toolset, with the claims that would change it", async () => {
    const { diagnostics } = await compiled({ ...TOOLS, send_note: MAIL });
    const warnings = diagnostics.filter(({ code }) => code === "flow/will-ask");
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatchObject({
      message: expect.stringContaining("after the first results: send_mail, send_note.") as string,
      help: "State isOpenWorld of send_mail, send_note: false if its input reaches nobody outside, true if such calls are to ask. Or claim, of all that they may carry out, returnsUntrusted: false of read_page, or returnsPrivate: false of find_row.",
    });
  });

  test("says nothing of flows where the setting is off, and of `note` that nobody is asked", async () => {
    const messageOf = async (flow: FlowSetting): Promise<string | undefined> =>
      (await compiled(TOOLS, undefined, { flow })).diagnostics.find(({ code }) => code === "flow/paths")?.message;
    expect(await messageOf("off")).toBeUndefined();
    expect(await messageOf("note")).toContain("The setting is `flow: note`, so nobody is asked");
    expect(await messageOf("ask")).toContain("A person is asked before such a call");
  });

  test.each<[string, ExampleTool, PolicySpec | undefined, FlowSetting, FlowGuard]>([
    ["runs unasked", MAIL, undefined, "ask", "guard"],
    ["runs unasked and nobody wants to be asked", MAIL, undefined, "note", "noted"],
    ["a policy allows", ASKED, { rules: [{ tool: "send_mail", decision: "allow" }] }, "note", "noted"],
    ["asks for every call", ASKED, undefined, "note", "every-call"],
    ["runs unasked, and nobody can be asked", MAIL, { mode: "unattended" }, "note", "noted"],
    ["asks, and nobody can be asked", ASKED, { mode: "unattended" }, "note", "refused"],
    ["a policy waives", MAIL, WAIVED, "note", "waived"],
  ])("rates a sink that %s, with its setting: %#", async (_, tool, policy, flow, guard) => {
    const { tools, policies } = await compiled({ ...TOOLS, send_mail: tool }, policy, { flow });
    const [all] = findToolsetFlows(tools, planOf(policy, flow), policies);
    expect(all?.sinks.map((sink) => sink.guard)).toEqual([guard]);
    expect(all && listNotedSinks(all).length).toBe(guard === "noted" ? 1 : 0);
  });
});

describe("a waiver", () => {
  test.each<[string, PolicyRuleSpec, string]>([
    ["beside deny", { ...WAIVER, decision: "deny" }, "policy/cannot-waive /rules/0/flow"],
    ["on a wildcard", { ...WAIVER, tool: "send_*" }, "policy/cannot-waive /rules/0/flow"],
    ["for any MCP server", { ...WAIVER, server: "*" }, "policy/cannot-waive /rules/0/flow"],
    ["on an alias", { ...WAIVER, tool: "old_send_mail" }, "policy/cannot-waive /rules/0/flow"],
    ["on an MCP tool without its server", { ...WAIVER, tool: "mcp__x__y" }, "policy/cannot-waive /rules/0/flow"],
    ["with another value", { ...WAIVER, flow: "deny" } as never, "policy/wrong-value /rules/0/flow"],
    ["on a tool that reaches nobody", { ...WAIVER, tool: "find_row" }, "policy/waives-nothing /rules/0/flow"],
  ])("is reported %s", async (_, rule, code) => {
    expect(await found(TOOLS, { rules: [rule] })).toContain(code);
  });

  test("needs an approval, whose absence names the path", async () => {
    const { diagnostics } = await compiled(TOOLS, WAIVED);
    const waiting = diagnostics.filter(
      ({ code, location }) => code.startsWith("ledger/") && location?.uri.startsWith("policies"),
    );
    expect(waiting.map(({ location }) => location?.pointer)).toEqual(["/rules/0", "/rules/0/flow"]);
    expect(waiting[1]).toMatchObject({ code: "ledger/not-approved", severity: "error" });
    expect(waiting[1]?.message).toContain('"rules.0.flow: allow"');
    expect(waiting[1]?.message).toContain(PATH);
  });

  test.each<[string, ExampleTools, PolicySpec, readonly string[]]>([
    ["nothing changes", TOOLS, WAIVED, []],
    ["an unrelated tool joins", { ...TOOLS, other: PLAIN }, WAIVED, []],
    ["another private source joins", { ...TOOLS, find_pay: ROW }, WAIVED, ["ledger/stale"]],
    ["its condition is gone", TOOLS, { rules: [{ ...WAIVER, when: undefined }] } as never, []],
    [
      "its rule decides other calls",
      TOOLS,
      { rules: [{ ...WAIVER, when: "input.to == 'there'" }] },
      ["ledger/not-approved", "ledger/stale", "ledger/unused-approval"],
    ],
  ])("stays approved unless it covers more: %s", async (_, tools, policy, codes) => {
    const before = await compiled(TOOLS, WAIVED);
    const plan = planOf(WAIVED);
    const claims = listPendingPolicyClaims(before.policies, readApprovals([], before.tools, plan));
    expect(claims.map(({ claim }) => claim)).toContain("rules.0.flow: allow");
    const ledgers = approve({ claims, ledgers: [], reason: "Only staff read it.", on: "2030-01-31" }).map(
      ({ path, text = "" }): SourceText => ({ uri: path, role: "ledger", text }),
    );
    const { diagnostics } = await compiled(tools, policy, { more: ledgers });
    const ofPolicy = diagnostics.filter(
      ({ code, location, tool }) => code.startsWith("ledger/") && tool === undefined && location !== undefined,
    );
    expect([...new Set(ofPolicy.map(({ code }) => code))].toSorted()).toEqual(codes);
  });

  test("stands in the module of the policy", async () => {
    const { files } = await compile(sourcesOf(TOOLS, WAIVED), { ...planOf(WAIVED), unlocked: true });
    const text = files.find(({ path }) => path.endsWith("/policy.ts"))?.text;
    expect(text).toContain('{ tool: "send_mail", decision: "allow", flow: "allow" }');
  });
});

describe("diff", () => {
  async function versionOf(tools: ExampleTools, policy?: PolicySpec, flow: FlowSetting = "ask"): Promise<Version> {
    return (await compileVersion({ sources: sourcesOf(tools, policy), plan: planOf(policy, flow) })).value;
  }

  type Side = readonly [tools: ExampleTools, policy?: PolicySpec | undefined, flow?: FlowSetting];

  async function opened([...before]: Side, [...after]: Side): Promise<readonly string[]> {
    const changes = compareVersions(await versionOf(...before), await versionOf(...after), "base");
    return changes
      .filter(({ code }) => code === "diff/path-opened")
      .map(({ message, location, severity }) => {
        const place = `${location?.uri ?? ""}#${location?.pointer ?? ""}`;
        return `${severity === "error" ? "" : `${severity}: `}${/: (.*? → \w+)/u.exec(message)?.[1] ?? ""} at ${place}`;
      });
  }

  const unasked = { ...TOOLS, send_mail: ASKED };
  test.each<[string, Side, Side, readonly string[]]>([
    ["a new sink", [{ read_page: PAGE, find_row: ROW }], [TOOLS], [`${PATH} at specs/send_mail.tool.yaml#/name`]],
    [
      "a new source",
      [TOOLS],
      [{ ...TOOLS, find_pay: ROW }],
      ["read_page + find_pay → send_mail at specs/find_pay.tool.yaml#/name"],
    ],
    [
      "a sink that no longer asks",
      [unasked],
      [TOOLS],
      [`${PATH} at specs/send_mail.tool.yaml#/behavior/requiresPermission`],
    ],
    [
      "a sink that a policy allows",
      [unasked],
      [unasked, { rules: [{ tool: "send_mail", decision: "allow" }] }],
      [`${PATH} at specs/send_mail.tool.yaml#/name`],
    ],
    [
      "flow: allow",
      [TOOLS, { rules: [{ tool: "send_mail", decision: "allow" }] }],
      [TOOLS, WAIVED],
      [`${PATH} at policies/all.yaml#/rules/0/flow`],
    ],
    [
      "a sink that is no longer denied",
      [TOOLS, { deny: ["send_mail"] }],
      [TOOLS, {}],
      [`${PATH} at specs/send_mail.tool.yaml#/name`],
    ],
    ["nothing that is new if a claim is dropped", [{ ...TOOLS, find_row: PLAIN }], [TOOLS], []],
    [
      "nothing that is new if a sink drops its claim",
      [{ ...TOOLS, send_mail: { behavior: { ...MAIL.behavior, isOpenWorld: false } } }],
      [TOOLS],
      [],
    ],
    [
      "a new sink that asks for every call",
      [{ read_page: PAGE, find_row: ROW }],
      [unasked],
      [`info: ${PATH} at specs/send_mail.tool.yaml#/name`],
    ],
    [
      "a new source of one that asks for every call",
      [unasked],
      [{ ...unasked, find_pay: ROW }],
      ["info: read_page + find_pay → send_mail at specs/find_pay.tool.yaml#/name"],
    ],
    [
      "a new source, by the sink that asks least",
      [{ ...unasked, tell: MAIL }],
      [{ ...unasked, tell: MAIL, find_pay: ROW }],
      ["read_page + find_pay → tell at specs/find_pay.tool.yaml#/name"],
    ],
    [
      "a new sink where nobody is asked",
      [{ read_page: PAGE, find_row: ROW }, undefined, "note"],
      [TOOLS, undefined, "note"],
      [`${PATH} at specs/send_mail.tool.yaml#/name`],
    ],
    ["nothing where the setting is off", [{ read_page: PAGE, find_row: ROW }], [TOOLS, undefined, "off"], []],
    ["nothing that is new if only the setting is weaker", [TOOLS], [TOOLS, undefined, "note"], []],
    ["nothing by a tool that is on no path", [TOOLS], [{ ...TOOLS, other: PLAIN }], []],
  ])("reports the path that a change opens: %s", async (_, before, after, paths) => {
    expect(await opened(before, after)).toEqual(paths);
    expect(await opened(after, after)).toEqual([]);
  });
});

test("a toolset has a path exactly if some choice of three tools is one", async () => {
  const flags = fc.record({
    returnsUntrusted: fc.boolean(),
    returnsPrivate: fc.boolean(),
    isOpenWorld: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(flags, { minLength: 1, maxLength: 4 }), async (behaviors) => {
      const tools = Object.fromEntries(
        behaviors.map((behavior, index) => [`tool_${"abcd"[index] ?? ""}`, { behavior }]),
      );
      const result = await compiled(tools);
      const isPath = behaviors.some((a) =>
        behaviors.some((b) => behaviors.some((c) => a.returnsUntrusted && b.returnsPrivate && c.isOpenWorld)),
      );
      expect(findToolsetFlows(result.tools, planOf(), []).some(hasPath)).toBe(isPath);
      expect(result.diagnostics.some(({ code }) => code === "flow/paths")).toBe(isPath);
    }),
    { numRuns: 30 },
  );
});
