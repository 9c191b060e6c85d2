import { expect, test } from "vitest";
import type { JsonObject } from "@hasp/schema";
import type { PlanInput, SourceText } from "@hasp/compiler";
import { approve, listPendingClaims, listPendingPolicyClaims, readApprovals } from "@hasp/compiler/claims";
import { compareVersions, compileVersion, type Version } from "@hasp/compiler/diff";
import { completePlan } from "@hasp/compiler/model";
import { builtInPlugins } from "./built-in.js";

/** A project of two tools, whose claims are all approved. */
interface Project {
  readonly spec?: JsonObject;
  readonly other?: JsonObject | null;
  readonly policy?: JsonObject;
  readonly plan?: PlanInput;
  /** Replaces the text of the spec. */
  readonly written?: (text: string) => string;
}

const BASE: JsonObject = {
  hasp: 1,
  name: "refund_order",
  description: "Pay an order back. Use it when its number is known. Do not use it for a part.",
  input: {
    type: "object",
    required: ["order", "amount"],
    properties: {
      order: { type: "string", maxLength: 20 },
      amount: { type: "number", minimum: 0 },
      kind: { enum: ["full", "part"], default: "full" },
    },
  },
};
const input = BASE["input"] as { readonly properties: JsonObject };
const withField = (name: string, schema: JsonObject): JsonObject => ({
  input: { ...input, properties: { ...input.properties, [name]: schema } },
});
const when = (limit: number): JsonObject => ({
  behavior: { requiresPermission: { unless: `input.amount <= ${limit}.0` } },
});
const sql = (statement: string, more: JsonObject = {}): JsonObject => ({
  handler: { sql: { connection: "db", statement, ...more } },
});
const http = (path: string): JsonObject => ({ handler: { http: { connection: "api", method: "GET", path } } });
const api = (more: JsonObject = {}): PlanInput => ({
  connections: { api: { http: { baseUrl: "https://api.example.com", ...more } }, db: { sql: { context: "db" } } },
});
const unasked: JsonObject = { behavior: { requiresPermission: false, isDestructive: false } };
const rows = (...rules: readonly JsonObject[]): JsonObject => ({ concurrency: { class: "UNSAFE", rules } });
const strictly: JsonObject = { custom: "isHeld", class: "UNSAFE" };
const mildly: JsonObject = { when: "input.amount <= 5.0", class: "READ_ONLY" };
const allows: JsonObject = { rules: [{ tool: "refund_order", decision: "allow" }] };
const denies = (amount: number): JsonObject => ({
  rules: [
    { tool: "refund_order", when: `input.amount > ${amount}.0`, decision: "deny" },
    { tool: "refund_order", decision: "allow" },
  ],
});
const PAY_BILL: JsonObject = { name: "pay_bill" };
const asks = (tool: string): JsonObject => ({ tool, decision: "ask" });
const allowsFirst: JsonObject = { rules: [asks("pay_*"), { tool: "*_back", decision: "allow" }, asks("*_back")] };
const RULE = "naming/vague-name";
const ignoringAt =
  (field: string) =>
  (text: string): string =>
    text.replaceAll(/"(?:order|amount)":\{/gu, (key) =>
      key.includes(field) ? `\n# hasp-ignore ${RULE} -- It is known.\n${key}` : `\n${key}`,
    );
/** A pattern for which no sample is known. */
const UNSAMPLED = "^(?=.*zebra)[a-z]{9}$";

/**
 * Lists what a review reports: the findings that fail it, or `passes`. Every approval is renewed in the
 * change, as its author would.
 */
test.each<[title: string, before: Project, after: Project, verdict: readonly string[] | "passes"]>([
  [
    "loosens the schema of an unasked tool",
    { spec: { ...unasked } },
    { spec: { ...unasked, ...withField("order", { type: "string", maxLength: 21 }) } },
    ["self-approved", "self-approved", "input-widened"],
  ],
  [
    "narrows the schema of an unasked tool that nobody can have called so",
    { spec: { ...unasked, ...withField("note", { type: "string" }) } },
    { spec: { ...unasked, ...withField("note", { type: "string", maxLength: 5 }) } },
    ["input-refused"],
  ],
  [
    "rewords a description",
    {},
    { spec: { description: "Pay an order back. Never ask. Use it when its number is known." } },
    "passes",
  ],
  [
    "renames a tool and keeps its name as an alias",
    {},
    { spec: { name: "stop_order", aliases: ["refund_order"] } },
    "passes",
  ],
  ["adds an alias", {}, { spec: { aliases: ["pay_back"] } }, "passes"],
  ["gives a new tool the alias of another", { other: null, spec: { aliases: ["other"] } }, {}, ["alias-moved"]],
  ...[
    { policy: { deny: ["pay_*"] }, found: ["policy-loosened", "path-opened"] },
    { policy: { rules: [asks("pay_*")] }, found: ["policy-loosened"] },
  ].flatMap(({ policy, found }): readonly [string, Project, Project, readonly string[]][] => [
    [
      `drops the alias by which ${JSON.stringify(policy)} names a tool`,
      { policy, other: PAY_BILL, spec: { ...unasked, aliases: ["pay_back"] } },
      { policy, other: PAY_BILL, spec: unasked },
      ["alias-gone", ...found],
    ],
    [
      `renames a tool that ${JSON.stringify(policy)} names`,
      { policy, other: PAY_BILL, spec: { ...unasked, name: "pay_back" } },
      { policy, other: PAY_BILL, spec: { ...unasked, name: "send_back" } },
      ["tool-renamed", ...found],
    ],
  ]),
  [
    "renames a tool, about which another rule asks likewise",
    { policy: { rules: [asks("pay_*")] }, other: PAY_BILL, spec: { ...unasked, name: "pay_back" } },
    {
      policy: { rules: [asks("pay_*"), asks("send_back")] },
      other: PAY_BILL,
      spec: { ...unasked, name: "send_back" },
    },
    ["tool-renamed"],
  ],
  [
    "renames a tool, about which another rule asks only behind one that allows",
    { policy: allowsFirst, other: PAY_BILL, spec: { ...unasked, name: "pay_back" } },
    { policy: allowsFirst, other: PAY_BILL, spec: { ...unasked, name: "send_back" } },
    ["tool-renamed", "policy-loosened"],
  ],
  [
    "edits the condition of a rule and drops the alias by which it names a tool",
    { policy: { rules: [asks("pay_*")] }, other: PAY_BILL, spec: { ...unasked, aliases: ["pay_back"] } },
    { policy: { rules: [{ ...asks("pay_*"), when: "true" }] }, other: PAY_BILL, spec: unasked },
    ["alias-gone", "policy-loosened"],
  ],
  [
    "gives a new tool an alias of another",
    { other: null, spec: { aliases: ["old"] } },
    { other: { aliases: ["old"] } },
    ["alias-moved"],
  ],
  ["gives a tool the name of another that is gone", {}, { other: null, spec: { aliases: ["other"] } }, ["alias-moved"]],
  [
    "adds a value of an enum of an unasked tool",
    { spec: unasked },
    { spec: { ...unasked, ...withField("kind", { enum: ["full", "part", "other"], default: "full" }) } },
    ["self-approved", "self-approved", "input-widened"],
  ],
  [
    "changes a default of an unasked tool",
    { spec: unasked },
    { spec: { ...unasked, ...withField("kind", { enum: ["full", "part"], default: "part" }) } },
    ["self-approved", "self-approved", "default-changed"],
  ],
  [
    "removes a field",
    {},
    {
      spec: {
        input: {
          ...input,
          properties: { order: input.properties["order"] ?? {}, amount: { type: "number", minimum: 0 } },
        },
      },
    },
    ["input-refused"],
  ],
  [
    "requires a field",
    {},
    { spec: { input: { ...input, required: ["order", "amount", "kind"] } } },
    ["input-may-be-refused"],
  ],
  ["claims READ_ONLY", {}, { spec: { concurrency: { class: "READ_ONLY" } } }, ["self-approved"]],
  ["lifts a limit", {}, { spec: { limits: { timeoutSeconds: "unlimited" } } }, ["self-approved"]],
  ["raises the limit of a condition", { spec: when(1000) }, { spec: when(2000) }, ["self-approved", "call-loosened"]],
  ["lowers the limit of a condition", { spec: when(2000) }, { spec: when(1000) }, ["self-approved"]],
  [
    "changes the path of an unasked tool",
    { spec: { ...unasked, ...http("/customers/{order}") }, plan: api() },
    { spec: { ...unasked, ...http("/admin/customers/{order}") }, plan: api() },
    ["self-approved", "self-approved", "handler-changed"],
  ],
  [
    "changes a statement",
    { spec: sql("SELECT 1"), plan: api() },
    { spec: sql("DELETE FROM products"), plan: api() },
    ["handler-changed"],
  ],
  [
    "lowers the rows of a statement",
    { spec: sql("SELECT 1", { maxRows: 10 }), plan: api() },
    { spec: sql("SELECT 1", { maxRows: 5 }), plan: api() },
    "passes",
  ],
  [
    "changes a statement behind a policy's allow",
    { spec: sql("SELECT 1"), plan: api(), policy: allows },
    { spec: sql("DELETE FROM products"), plan: api(), policy: allows },
    ["self-approved", "handler-changed"],
  ],
  [
    "replaces a declared handler by code behind a policy's allow",
    { spec: sql("SELECT 1"), plan: api(), policy: allows },
    { plan: api(), policy: allows },
    ["self-approved", "handler-changed"],
  ],
  [
    "widens the input behind a policy's allow",
    { policy: allows },
    { policy: allows, spec: withField("order", { type: "string", maxLength: 20_000 }) },
    ["self-approved", "input-widened"],
  ],
  [
    "narrows the input behind a policy's allow",
    { policy: allows, spec: withField("order", { type: "string" }) },
    { policy: allows },
    ["input-refused"],
  ],
  [
    "tightens a flag behind a policy's allow",
    { policy: allows, spec: { behavior: { isOpenWorld: false } } },
    { policy: allows },
    "passes",
  ],
  [
    "changes the address of a connection",
    { spec: { ...unasked, ...http("/{order}") }, plan: api() },
    { spec: { ...unasked, ...http("/{order}") }, plan: api({ baseUrl: "https://other.example.com" }) },
    ["connection-changed", "self-approved", "self-approved"],
  ],
  [
    "lets a connection reach private addresses",
    { spec: http("/{order}"), plan: api() },
    { spec: http("/{order}"), plan: api({ allowPrivateAddresses: true }) },
    ["connection-changed"],
  ],
  [
    "adds an allow to a policy",
    { policy: {} },
    { policy: allows },
    ["self-approved", "policy-loosened", "path-opened"],
  ],
  [
    "lets a policy accept writes",
    { policy: {} },
    { policy: { mode: "accept-writes" } },
    ["self-approved", "policy-loosened"],
  ],
  ["takes away a deny", { policy: { deny: ["other"] } }, { policy: {} }, ["policy-loosened"]],
  ["adds a deny", { policy: {} }, { policy: { deny: ["other"] } }, "passes"],
  [
    "edits the condition of a deny above an allow",
    { policy: denies(50_000) },
    { policy: denies(90_000) },
    ["self-approved", "policy-loosened"],
  ],
  ["adds a deny above an allow", { policy: allows }, { policy: denies(50_000) }, "passes"],
  ...(["off", "note"] as const).map((flow): [string, Project, Project, readonly string[]] => [
    `gives tools a new toolset with flow ${flow}, where they were under ask together with others`,
    { other: PAY_BILL, plan: { toolsets: [{ name: "all", include: "all", exclude: [], flow: "ask" }] } },
    {
      other: PAY_BILL,
      plan: {
        toolsets: [
          { name: "all", include: "all", exclude: [], flow: "ask" },
          { name: "chat", include: ["refund_order"], exclude: [], flow },
        ],
      },
    },
    ["flow-lowered"],
  ]),
  ["switches a rule off", {}, { plan: { rules: { [RULE]: "off" } } }, ["rule-lowered"]],
  [
    "lets more tools into a toolset",
    { plan: { toolsets: [{ name: "support", include: ["refund_order"], exclude: [] }] } },
    { plan: { toolsets: [{ name: "support", include: "all", exclude: [] }] } },
    ["joined-toolset"],
  ],
  [
    "adds a toolset of fewer tools",
    {},
    {
      plan: {
        toolsets: [
          { name: "all", include: "all", exclude: [] },
          { name: "few", include: ["other"], exclude: [] },
        ],
      },
    },
    "passes",
  ],
  [
    "widens a pattern",
    { spec: withField("order", { type: "string", pattern: "^c[0-9]+$" }) },
    { spec: withField("order", { type: "string", pattern: "^[cu][0-9]+$" }) },
    "passes",
  ],
  ["reformats and comments", {}, { written: (text) => `# A comment.\r\n${text}` }, "passes"],
  [
    "adds a tool with claims",
    { other: null },
    { other: { behavior: { requiresPermission: false } } },
    ["self-approved"],
  ],
  ["defers a tool", {}, { spec: { visibility: { load: "deferred" } } }, "passes"],
  [
    "removes a dialect",
    { plan: { dialects: ["anthropic", "mcp"] } },
    { plan: { dialects: ["mcp"] } },
    ["dialect-gone"],
  ],
  ["adds a dialect", { plan: { dialects: ["mcp"] } }, { plan: { dialects: ["anthropic", "mcp"] } }, "passes"],
  [
    "raises the limit of a condition, where no sample fits the schema",
    { spec: { ...when(1000), ...withField("order", { type: "string", pattern: UNSAMPLED }) } },
    { spec: { ...when(2000), ...withField("order", { type: "string", pattern: UNSAMPLED }) } },
    ["call-may-be-loosened", "self-approved"],
  ],
  [
    "raises the limit of a condition, where another field has a pattern",
    { spec: { ...when(1000), ...withField("order", { type: "string", pattern: "^c\\d+$" }) } },
    { spec: { ...when(2000), ...withField("order", { type: "string", pattern: "^c\\d+$" }) } },
    ["call-loosened", "self-approved"],
  ],
  [
    "adds a value to an enum of a tool that nobody is asked about, where another field has a pattern",
    { spec: { ...unasked, ...withField("order", { type: "string", pattern: "^c\\d+$" }) } },
    {
      spec: {
        ...unasked,
        input: {
          ...input,
          properties: {
            ...input.properties,
            order: { type: "string", pattern: "^c\\d+$" },
            kind: { enum: ["full", "part", "none"], default: "full" },
          },
        },
      },
    },
    ["input-widened", "self-approved", "self-approved"],
  ],
  [
    "removes a stricter row with a function, where no sample fits the schema",
    { spec: { ...rows(strictly, mildly), ...withField("order", { type: "string", pattern: UNSAMPLED }) } },
    { spec: { ...rows(mildly), ...withField("order", { type: "string", pattern: UNSAMPLED }) } },
    ["self-approved", "row-passed-by"],
  ],
  [
    "suppresses a finding",
    {},
    { written: (text) => `# hasp-ignore ${RULE} -- It is known.\n${text}` },
    ["finding-ignored"],
  ],
  [
    "moves the comment that suppresses a finding to another field",
    { written: ignoringAt("order") },
    { written: ignoringAt("amount") },
    ["finding-ignored"],
  ],
  [
    "moves a field with the comment that suppresses its finding",
    { written: ignoringAt("amount") },
    {
      spec: { description: `${String(BASE["description"])} Do not use it twice.` },
      written: (text) => ignoringAt("amount")(text.replace('"name"', '\n"name"')),
    },
    "passes",
  ],
  ["lets calls be cancelled", {}, { spec: { behavior: { interruptBehavior: "cancel" } } }, ["choice-changed"]],
  ["repairs no input any more", {}, { spec: { coerce: false } }, ["choice-changed"]],
  [
    "lets null count as absent, which stood for itself",
    { spec: { ...unasked, ...withField("note", { type: ["string", "null"], maxLength: 9, default: "x" }) } },
    { spec: { ...unasked, ...withField("note", { type: "string", maxLength: 9, default: "x" }) } },
    ["input-may-be-refused", "input-reread", "self-approved", "self-approved"],
  ],
  [
    "changes a default of the items of a list",
    {
      spec: withField("rows", {
        type: "array",
        maxItems: 3,
        items: { type: "object", properties: { m: { enum: ["a", "b"], default: "a" } } },
      }),
    },
    {
      spec: withField("rows", {
        type: "array",
        maxItems: 3,
        items: { type: "object", properties: { m: { enum: ["a", "b"], default: "b" } } },
      }),
    },
    ["default-changed"],
  ],
  ["says that inputs are repaired, as they were", {}, { spec: { coerce: true } }, []],
  [
    "repairs inputs of calls that run unasked",
    { spec: { ...unasked, coerce: false } },
    { spec: unasked },
    ["choice-changed", "input-may-be-widened", "self-approved", "self-approved"],
  ],
  [
    "lets empty text count as absent in calls that a policy allows",
    { policy: allows },
    { policy: allows, spec: { coerce: { emptyText: "absent" } } },
    ["choice-changed", "input-may-be-widened", "self-approved"],
  ],
  [
    "repairs fewer inputs of calls that run unasked",
    { spec: { ...unasked, coerce: { emptyText: "absent" } } },
    { spec: unasked },
    ["choice-changed"],
  ],
  [
    "removes a stricter row with a function",
    { spec: rows(strictly, mildly) },
    { spec: rows(mildly) },
    ["self-approved", "row-passed-by"],
  ],
])("a change that %s", async (_, before, after, verdict) => {
  const found = compareVersions(await versionIn(before), await versionIn(after), "base");
  const failing = found.filter(({ severity }) => severity === "error").map(({ code }) => code.slice("diff/".length));
  expect(failing.toSorted()).toEqual(verdict === "passes" ? [] : [...verdict].toSorted());
});

test("shows both texts of a changed rule, and a call whose answer changed", async () => {
  const input = { type: "object", required: ["amount"], properties: { amount: { type: "number", minimum: 0 } } };
  const policy = (limit: number, more: JsonObject = {}): JsonObject => ({
    rules: [{ tool: "refund_order", when: `input.amount <= ${limit}.0`, decision: "allow", ...more }],
  });
  const messages = async (before: JsonObject, after: JsonObject): Promise<readonly string[]> => {
    const [old, now] = [
      await versionIn({ policy: before, spec: { input } }),
      await versionIn({ policy: after, spec: { input } }),
    ];
    return compareVersions(old, now, "base").flatMap(({ code, message }) =>
      code.startsWith("diff/policy-") ? [`${code.slice("diff/".length)} ${message}`] : [],
    );
  };
  const rule = (limit: number): string => `{ tool: refund_order, when: "input.amount <= ${limit}.0", decision: allow }`;
  expect(await messages(policy(500), policy(5000))).toEqual([
    `policy-loosened In the policy of "all", the rule ${rule(500)} is now ${rule(5000)}. For example, refund_order {"amount":500.5} was left to the tool's flags and the mode and is now allowed.`,
  ]);
  // Every call that is allowed now was allowed before.
  expect(await messages(policy(5000), policy(500))).toEqual([]);
  // The answer of an earlier rule stands.
  const denying = (limit: number): JsonObject => ({
    rules: [
      { tool: "refund_order", when: "input.amount > 400.0", decision: "deny" },
      ...(policy(limit)["rules"] as readonly JsonObject[]),
    ],
  });
  expect(await messages(denying(500), denying(5000))).toEqual([]);
});

test("says that no call was found only where one was tried", async () => {
  const messageOf = async (pattern: string): Promise<string | undefined> => {
    const [before, after] = [rows(strictly, mildly), rows(mildly)].map((spec) =>
      versionIn({ spec: { ...spec, ...withField("order", { type: "string", pattern }) } }),
    );
    const found = before && after ? compareVersions(await before, await after, "base") : [];
    return found.find(({ code }) => code === "diff/row-passed-by")?.message;
  };
  expect(await messageOf("^c\\d+$")).toContain("No such call was found.");
  expect(await messageOf(UNSAMPLED)).toMatch(
    /No call was tried, since no value is known that fits "pattern" at \/order\. An example in the spec would be\.$/u,
  );
});

test("says everything that is looser about a call, the permission first", async () => {
  const inPart = { unless: "input.kind == 'part'" };
  const findings = async (behavior: JsonObject): Promise<readonly string[]> => {
    const found = compareVersions(await versionIn({}), await versionIn({ spec: { behavior } }), "base");
    return found.flatMap(({ code, message }) =>
      code === "diff/call-loosened" ? [message.split(" Example")[0] ?? ""] : [],
    );
  };
  const [destructive, asked] = ["isDestructive", "requiresPermission"].map(
    (flag) => `behavior.${flag} was true and is now false`,
  );
  expect(await findings({ isDestructive: inPart, requiresPermission: inPart })).toEqual([
    `For some calls, ${asked} and ${destructive}.`,
  ]);
  // Each condition that loosens a call is told of, whatever else that call loses.
  const small = { unless: "input.kind == 'part' || input.amount == 0.0" };
  expect(await findings({ isDestructive: small, requiresPermission: inPart })).toEqual([
    `For some calls, ${destructive}.`,
    `For some calls, ${asked} and ${destructive}.`,
  ]);
});

test("reports a call store that moves, is new or is no longer named", async () => {
  const base = await versionIn({});
  const at = (files?: string): Version => ({ ...base, callStore: files === undefined ? undefined : { files } });
  const found = (before: Version, after: Version): readonly string[] =>
    compareVersions(before, after, "base").map(({ code }) => code);
  expect(found(at("calls"), at())).toEqual(["diff/call-store-gone"]);
  expect(found(at("calls"), at("elsewhere"))).toEqual(["diff/call-store-moved"]);
  expect(found(at(), at("calls"))).toEqual(["diff/listing-changed"]);
  expect(found(at("calls"), at("calls"))).toEqual([]);
});

test("reports a test context that is another function", async () => {
  const at = (name: string): Project => ({ plan: { testContext: { file: "src/context.ts", name } } });
  const found = compareVersions(await versionIn(at("make")), await versionIn(at("makeAdmin")), "base");
  expect(found).toMatchObject([{ code: "diff/listing-changed", message: expect.stringContaining("context.test") }]);
});

test("reports other instructions for clients of a server", async () => {
  const at = (instructions?: string): Project => ({ plan: instructions === undefined ? {} : { instructions } });
  const found = compareVersions(await versionIn(at()), await versionIn(at("Be bold.")), "base");
  expect(found).toMatchObject([{ code: "diff/listing-changed", message: expect.stringContaining("Be bold.") }]);
});

test("warns of what an earlier entry silences in a tool, unless the base has that finding", async () => {
  const named = (name: string, path: string): Project => ({
    other: { name },
    plan: { ignore: [{ rule: RULE, path, reason: "It is known." }] },
  });
  const found = async (before: Project, after: Project): Promise<readonly unknown[]> =>
    compareVersions(await versionIn(before), await versionIn(after), "base")
      .filter(({ code }) => code === "diff/finding-silenced")
      .map(({ severity, tool, message }) => `${severity} ${tool}: ${message}`);
  expect(await found(named("stop_order", "specs/b*"), named("process_data", "specs/b*"))).toEqual([
    expect.stringMatching(/^warning process_data: .* for "specs\/b\*" suppresses: "process_data" is vague/u),
  ]);
  expect(await found(named("process_data", "specs/*"), named("process_data", "specs/*"))).toEqual([]);
  expect(await found(named("stop_order", "specs/a*"), named("process_data", "specs/a*"))).toEqual([]);
  // Two findings may say the same.
  const inside = (...names: readonly string[]): Project => ({
    other: {
      input: {
        type: "object",
        properties: Object.fromEntries(
          names.map((name) => [name, { type: "object", properties: { apiToken: { type: "string", maxLength: 9 } } }]),
        ),
      },
    },
    plan: { ignore: [{ rule: "safety/secret-input", path: "specs/b*", reason: "It is known." }] },
  });
  expect(await found(inside("one"), inside("one", "two"))).toHaveLength(1);
  // The entry itself is reported.
  expect(await found({ other: { name: "stop_order" } }, named("process_data", "specs/b*"))).toEqual([]);
});

test("takes approvals from neither of two ledgers of one name", async () => {
  const approved = await versionIn({ spec: { concurrency: { class: "READ_ONLY" } } });
  const [ledger] = approved.ledgers;
  if (ledger === undefined) return expect.fail("there is a ledger");
  const contested = { ...approved, ledgers: [ledger, { ...ledger, uri: ledger.uri.replace(/yaml$/u, "yml") }] };
  const found = compareVersions(contested, approved, "base").map(({ code }) => code);
  expect(found).toEqual(["diff/approved-here"]);
});

async function versionIn({ spec = {}, other = {}, policy, plan = {}, written = String }: Project): Promise<Version> {
  const path = "policies/support.yaml";
  const all = { name: "all", include: "all", exclude: [], ...(policy === undefined ? {} : { policy: path }) } as const;
  const settings = completePlan({ unlocked: true, dialects: ["mcp"], toolsets: [all], ...plan });
  const compiled = async (ledgers: readonly SourceText[]): Promise<Version> => {
    const sources: readonly SourceText[] = [
      { uri: "specs/a.tool.yaml", role: "spec", text: written(JSON.stringify({ ...BASE, ...spec })) },
      { uri: "specs/b.tool.yaml", role: "spec", text: JSON.stringify({ ...BASE, name: "other", ...other }) },
      ...(policy === undefined
        ? []
        : [{ uri: path, role: "policy" as const, text: JSON.stringify({ hasp: 1, ...policy }) }]),
    ];
    const { value, diagnostics } = await compileVersion(
      {
        sources: [...sources.filter(({ uri }) => other !== null || uri !== "specs/b.tool.yaml"), ...ledgers],
        plan: settings,
      },
      builtInPlugins,
    );
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    return value;
  };
  const { tools, policies } = await compiled([]);
  const approvals = readApprovals([], tools, settings);
  const claims = [...listPendingClaims(tools, approvals), ...listPendingPolicyClaims(policies, approvals)];
  const files = approve({ claims, ledgers: [], reason: "It was looked at.", on: "2030-01-31" });
  return compiled(files.map(({ path: uri, text = "" }) => ({ uri, role: "ledger", text })));
}
