import type { JsonObject, JsonValue } from "@hasp/schema";
import { FIELD_ENTRIES, isLooser, VARYING_FLAGS, type FieldEntry, type FieldValue } from "@hasp/runtime/contract";
import type { ValidationKeyword } from "@hasp/schema/vocabulary";
import type { PlanInput } from "@hasp/compiler";
import type { DiffFinding } from "@hasp/compiler/diff";
import type { ProjectPlan } from "@hasp/compiler/model";

/** One version of a project with the tool `a`. */
export interface ExampleVersion {
  /** Keys of the spec that differ from {@link EXAMPLE_SPEC}. */
  readonly spec?: JsonObject;
  /** The folder of the spec, if not `specs`. */
  readonly folder?: string;
  readonly plan?: PlanInput;
  readonly callStore?: ProjectPlan["callStore"];
  /** The policy of the toolset `all`; none if omitted. */
  readonly policy?: JsonObject;
  /** The digests of what its last build read. */
  readonly recorded?: { readonly [input: string]: string };
  /** Toolsets besides `all`. */
  readonly toolsets?: NonNullable<PlanInput["toolsets"]>;
  /** The entries of the tool's ledger; `true` stands for an approval of everything that it claims. */
  readonly approved?: readonly JsonObject[] | true;
  /** Text above the spec. */
  readonly comment?: string;
}

/** One way to loosen a project, with the finding of `hasp diff` that reports it. */
export interface WayToLoosen {
  readonly part:
    | "fields"
    | "rows and conditions"
    | "the input"
    | "guards"
    | "declared handlers"
    | "lists"
    | "the ledger"
    | "policies"
    | "settings";
  readonly what: string;
  readonly finding: DiffFinding;
  readonly before: ExampleVersion;
  readonly after: ExampleVersion;
}

export const EXAMPLE_SPEC: JsonObject = {
  hasp: 1,
  name: "a",
  description: "Change a record. Use it when its id is known. Do not use it to search.",
  input: {
    type: "object",
    required: ["env"],
    properties: {
      env: { enum: ["prod", "test"] },
      mode: { enum: ["read", "write"], default: "write" },
      name: { type: "string", maxLength: 20 },
    },
  },
};

const plugin = (digest: string): PlanInput => ({
  plugins: [
    {
      name: "acme",
      module: "./acme.ts",
      digest,
      rules: [],
      dialects: [],
      clients: [],
      handlerKinds: [],
      emitters: [],
      importers: [],
      reporters: [],
    },
  ],
});
const customRule = (matches: string): PlanInput => ({
  customRules: { "acme/owner": { on: "spec", field: "owner", matches, required: false, message: "Name the owner." } },
});
const inTest = "input.env == 'test'";
const UNASKED = { when: inTest, class: "UNSAFE", requiresPermission: false } as const;
const inRules = (...rules: readonly JsonObject[]): ExampleVersion => ({
  spec: { concurrency: { class: "UNSAFE", rules } },
});

function loosestOf({ field }: FieldEntry): FieldValue | undefined {
  if ("number" in field) return field.unlimited ? "unlimited" : Number(field.strict) + 1;
  return field.values.findLast((value) => isLooser(field, value, field.strict));
}

/** Returns the value of a field that is stricter than its default, or the default. */
function strictestOf({ field }: FieldEntry): FieldValue {
  return "number" in field ? field.strict : (field.values[0] ?? field.strict);
}

const fields = FIELD_ENTRIES.flatMap((entry): readonly WayToLoosen[] => {
  const { group, name, path, field } = entry;
  const strict = strictestOf(entry);
  const looser = loosestOf(entry) ?? field.strict;
  if (!isLooser(field, looser, strict)) return [];
  return [
    {
      part: "fields",
      what: `${path}: ${String(strict)} → ${String(looser)}`,
      finding: "loosened",
      before: { spec: { [group]: { [name]: strict } } },
      after: { spec: { [group]: { [name]: looser } } },
    },
  ];
});

const perCall = FIELD_ENTRIES.filter(({ field }) => field.varies === true);

const rows: readonly WayToLoosen[] = [
  ...perCall.map((entry): WayToLoosen => ({
    part: "rows and conditions",
    what: `a new row with ${entry.name}: ${String(loosestOf(entry))}`,
    finding: "call-loosened",
    before: {},
    after: inRules({ when: inTest, class: "UNSAFE", [entry.name]: loosestOf(entry) as JsonValue }),
  })),
  ...VARYING_FLAGS.map((flag): WayToLoosen => {
    const entry = perCall.find(({ name }) => name === flag);
    const polarity = entry !== undefined && loosestOf(entry) === false ? "unless" : "when";
    return {
      part: "rows and conditions",
      what: `behavior.${flag} becomes conditional`,
      finding: "call-loosened",
      before: {},
      after: { spec: { behavior: { [flag]: { [polarity]: inTest } } } },
    };
  }),
  ...(
    [
      ["a wider condition", "call-loosened", [UNASKED], [{ ...UNASKED, when: "input.env in ['test', 'prod']" }]],
      [
        "a stricter row is removed",
        "call-loosened",
        [{ when: "input.mode == 'write'", class: "UNSAFE" }, UNASKED],
        [UNASKED],
      ],
      [
        "a stricter row is moved below a milder one",
        "call-loosened",
        [{ when: "input.mode == 'write'", class: "UNSAFE" }, UNASKED],
        [UNASKED, { when: "input.mode == 'write'", class: "UNSAFE" }],
      ],
      [
        "a stricter row with a function is removed",
        "row-passed-by",
        [{ custom: "isRisky", class: "UNSAFE" }, UNASKED],
        [UNASKED],
      ],
      [
        "a stricter row is removed whose calls no sample shows",
        "row-passed-by",
        [{ when: "has(input.name) && size(input.name) * 3 == 21", class: "UNSAFE" }, UNASKED],
        [UNASKED],
      ],
      [
        "a new row whose calls no sample shows",
        "call-may-be-loosened",
        [],
        [{ ...UNASKED, when: "has(input.name) && size(input.name) * 3 == 21" }],
      ],
    ] as const
  ).map(([what, finding, before, after]): WayToLoosen => ({
    part: "rows and conditions",
    what,
    finding,
    before: inRules(...before),
    after: inRules(...after),
  })),
  {
    part: "rows and conditions",
    what: "a default that a condition reads",
    finding: "call-loosened",
    before: withInput({ mode: { enum: ["read", "write"], default: "write" } }, "input.mode == 'read'"),
    after: withInput({ mode: { enum: ["read", "write"], default: "read" } }, "input.mode == 'read'"),
  },
];

/** Creates a tool with an unasked row and these properties besides `env`. */
function withInput(properties: JsonObject, when: string = inTest, more: JsonObject = {}): ExampleVersion {
  const env = { env: { enum: ["prod", "test"] } };
  return {
    spec: {
      input: { type: "object", required: ["env"], properties: { ...env, ...properties }, ...more },
      concurrency: { class: "UNSAFE", rules: [{ ...UNASKED, when }] },
    },
  };
}

const text = { type: "string" };
const secretText = { ...text, "x-secret": true };
const list = { type: "array", items: text };
const map = { type: "object", additionalProperties: text };
const withPin = (mark: JsonObject): JsonObject => ({
  type: "object",
  properties: { "pin/code": { ...text, ...mark }, pin: text },
});
const pair = { type: "object", properties: { a: text, b: text } };

/** For each keyword that constrains a value, a property with it and the same without it. */
const DROPPED_CONSTRAINTS: {
  readonly [keyword in Exclude<ValidationKeyword, "$ref" | "$dynamicRef" | "additionalItems">]: readonly [
    constrained: JsonValue,
    free: JsonValue,
  ];
} = {
  type: [text, { type: ["string", "array"] }],
  enum: [{ enum: ["a"] }, { enum: ["a", "b"] }],
  const: [{ const: "a" }, text],
  minimum: [{ type: "number", minimum: 1 }, { type: "number" }],
  maximum: [{ type: "number", maximum: 1 }, { type: "number" }],
  exclusiveMinimum: [{ type: "number", exclusiveMinimum: 1 }, { type: "number" }],
  exclusiveMaximum: [{ type: "number", exclusiveMaximum: 1 }, { type: "number" }],
  multipleOf: [{ type: "integer", multipleOf: 5 }, { type: "integer" }],
  minLength: [{ ...text, minLength: 2 }, text],
  maxLength: [{ ...text, maxLength: 2 }, text],
  pattern: [{ ...text, pattern: "^[0-9]+$" }, text],
  format: [{ ...text, format: "date" }, text],
  contains: [{ ...list, contains: { const: "a" } }, list],
  minContains: [
    { ...list, contains: { const: "a" }, minContains: 2 },
    { ...list, contains: { const: "a" } },
  ],
  maxContains: [
    { ...list, contains: { const: "a" }, maxContains: 1 },
    { ...list, contains: { const: "a" } },
  ],
  items: [{ type: "array", items: { ...text, maxLength: 1 } }, list],
  prefixItems: [
    { type: "array", prefixItems: [{ const: "a" }], items: text },
    { type: "array", prefixItems: [text], items: text },
  ],
  minItems: [{ ...list, minItems: 2 }, list],
  maxItems: [{ ...list, maxItems: 2 }, list],
  uniqueItems: [{ ...list, uniqueItems: true }, list],
  unevaluatedItems: [
    { type: "array", prefixItems: [text], unevaluatedItems: false },
    { type: "array", prefixItems: [text], unevaluatedItems: text },
  ],
  properties: [
    { type: "object", properties: { a: { ...text, maxLength: 1 } } },
    { type: "object", properties: { a: text } },
  ],
  patternProperties: [
    { type: "object", patternProperties: { "^x": { ...text, maxLength: 1 } }, additionalProperties: false },
    { type: "object", patternProperties: { "^x": text }, additionalProperties: false },
  ],
  additionalProperties: [
    { type: "object", properties: { a: text }, additionalProperties: false },
    { type: "object", properties: { a: text }, additionalProperties: text },
  ],
  unevaluatedProperties: [
    { type: "object", properties: { a: text }, unevaluatedProperties: false },
    { type: "object", properties: { a: text }, unevaluatedProperties: text },
  ],
  propertyNames: [{ ...map, propertyNames: { maxLength: 1 } }, map],
  required: [{ ...pair, required: ["a"] }, pair],
  minProperties: [{ ...map, minProperties: 1 }, map],
  maxProperties: [{ ...map, maxProperties: 1 }, map],
  dependentRequired: [{ ...pair, dependentRequired: { a: ["b"] } }, pair],
  dependentSchemas: [{ ...pair, dependentSchemas: { a: { required: ["b"] } } }, pair],
  dependencies: [{ ...pair, dependentRequired: { b: ["a"] } }, pair],
  allOf: [{ allOf: [text, { maxLength: 1 }] }, { allOf: [text] }],
  anyOf: [{ anyOf: [{ const: "a" }, { type: "integer" }] }, { anyOf: [text, { type: "integer" }] }],
  oneOf: [{ oneOf: [{ const: "a" }, { type: "integer" }] }, { oneOf: [text, { type: "integer" }] }],
  not: [{ ...text, not: { const: "a" } }, text],
  if: [{ ...pair, if: { required: ["a"] }, then: { required: ["b"] } }, pair],
  then: [
    { ...pair, if: { required: ["b"] }, then: { required: ["a"] } },
    { ...pair, if: { required: ["b"] } },
  ],
  else: [
    { ...pair, if: { required: ["b"] }, else: { required: ["a"] } },
    { ...pair, if: { required: ["b"] } },
  ],
};

const input: readonly WayToLoosen[] = [
  ...Object.entries(DROPPED_CONSTRAINTS).map(([keyword, [constrained, free]]): WayToLoosen => ({
    part: "the input",
    what: `${keyword} is dropped or wider, in a tool with an unasked or milder row`,
    finding: "input-widened",
    before: withInput({ value: constrained }),
    after: withInput({ value: free }),
  })),
  {
    part: "the input",
    what: "a constraint is wider, and no call shows it",
    finding: "input-may-be-widened",
    before: withInput({ value: { ...text, pattern: "^(?=.*zebra)[a-z]{9}$" } }),
    after: withInput({ value: { ...text, pattern: "^(?=.*zebra)[a-z]{8,9}$" } }),
  },
  {
    part: "the input",
    what: "a property is new, in a tool with an unasked or milder row that does not read it",
    finding: "input-widened",
    before: withInput({}),
    after: withInput({ value: text }),
  },
  {
    part: "the input",
    what: "an object is open",
    finding: "claim-added",
    before: {},
    after: withInput({}, inTest, { additionalProperties: true }),
  },
];

const guards: readonly WayToLoosen[] = [
  {
    part: "guards",
    what: "concurrency.key is new",
    finding: "claim-added",
    before: { spec: { concurrency: { class: "WRITE_EXCLUSIVE" } } },
    after: { spec: { concurrency: { class: "WRITE_EXCLUSIVE", key: "input.env" } } },
  },
  {
    part: "guards",
    what: "behavior.destination is new",
    finding: "claim-added",
    before: {},
    after: { spec: { behavior: { destination: "input.env" } } },
  },
  {
    part: "guards",
    what: "visibility.featureGate is gone or different",
    finding: "gate-gone",
    before: { spec: { visibility: { featureGate: "BETA" } } },
    after: { spec: { visibility: { featureGate: "ALL" } } },
  },
  {
    part: "guards",
    what: "a check of validate is gone or different",
    finding: "check-gone",
    before: { spec: { validate: [{ that: "input.env == 'test'", message: "No." }] } },
    after: {},
  },
  ...(["env", "context"] as const).map((name): WayToLoosen => ({
    part: "guards",
    what: `an entry of needs.${name} is gone`,
    finding: "needs-gone",
    before: { spec: { needs: { [name]: ["accountId"] } } },
    after: {},
  })),
  {
    part: "guards",
    what: "a value is no longer marked as secret (`writeOnly`, `format: password`, `x-secret`)",
    finding: "secret-shown",
    before: withInput({ pin: { ...text, "x-secret": true } }),
    after: withInput({ pin: text }),
  },
  {
    part: "guards",
    what: "a value is no longer marked as secret, and another of its name still is",
    finding: "secret-shown",
    before: withInput({ new: withPin({ "x-secret": true }), "old/first": withPin({ "x-secret": true }) }),
    after: withInput({ new: withPin({ "x-secret": true }), "old/first": withPin({}) }),
  },
  {
    part: "guards",
    what: "a secret value is at another place without its mark",
    finding: "secret-shown",
    before: withInput({ pin: { ...text, "x-secret": true } }),
    after: withInput({ login: withPin({}) }),
  },
  ...(
    [
      [
        "a member of a map gets a name",
        { additionalProperties: secretText },
        { properties: { pin: text }, additionalProperties: secretText },
      ],
      ["a pattern matches more", { patternProperties: { "^a": secretText } }, { patternProperties: { "^[ab]": text } }],
      [
        "a list becomes a tuple",
        { type: "array", items: secretText },
        { type: "array", prefixItems: [text, text], items: false },
      ],
    ] as const
  ).map(([how, before, after]): WayToLoosen => ({
    part: "guards",
    what: `a value is no longer marked as secret: ${how}`,
    finding: "secret-shown",
    before: withInput({ held: { type: "object", additionalProperties: false, ...before } }),
    after: withInput({ held: { type: "object", additionalProperties: false, ...after } }),
  })),
  {
    // Calls move in the other direction, too.
    part: "lists",
    what: "an alias takes calls from another tool",
    finding: "alias-moved",
    before: {},
    after: { spec: { aliases: ["b"] }, plan: { exclude: [{ tool: "b", reason: "It is gone." }] } },
  },
  {
    part: "guards",
    what: "handler.isolation is gone",
    finding: "isolation-loosened",
    before: { spec: { handler: { isolation: {} } } },
    after: {},
  },
  ...(["memoryMb", "cpuSeconds", "outputMb"] as const).map((limit): WayToLoosen => ({
    part: "guards",
    what: `handler.isolation.${limit} is higher or gone`,
    finding: "isolation-loosened",
    before: { spec: { handler: { isolation: { [limit]: 64 } } } },
    after: { spec: { handler: { isolation: { [limit]: 65 } } } },
  })),
  {
    part: "guards",
    what: "providers.<family>.strict opts out",
    finding: "strict-lost",
    before: { plan: { dialects: [{ id: "openai-responses", strict: true, onUncarried: "error" }] } },
    after: {
      spec: { providers: { openai: { strict: false } } },
      plan: { dialects: [{ id: "openai-responses", strict: true, onUncarried: "error" }] },
    },
  },
];

const overHttp = (more: JsonObject = {}): JsonObject => ({
  handler: { http: { connection: "api", method: "GET", path: "/records/{name}", ...more } },
});
const overSql = (statement: string): JsonObject => ({ handler: { sql: { connection: "db", statement } } });
const overCommand = (...argv: readonly string[]): JsonObject => ({ handler: { command: { argv } } });
const connected = (http: JsonObject): ExampleVersion => ({
  spec: overHttp(),
  plan: { connections: { api: { http: { baseUrl: "https://api.example.com", ...http } } } },
});
const bound: JsonObject = { bind: { name: "context.userName" } };

const changedHandler = (what: string, before: JsonObject, after: JsonObject): WayToLoosen => ({
  part: "declared handlers",
  what,
  finding: "handler-changed",
  before: { spec: before },
  after: { spec: after },
});

const declaredHandlers: readonly WayToLoosen[] = [
  changedHandler("a handler of code becomes a declared one, or the other way round", {}, overHttp()),
  changedHandler("a handler is of another kind", overHttp(), overSql("SELECT 1")),
  changedHandler("a statement has changed", overSql("SELECT 1"), overSql("DELETE FROM records")),
  changedHandler("a request has changed", overHttp(), overHttp({ path: "/users/{name}" })),
  changedHandler("a request has more parts", overHttp(), overHttp({ query: { force: true } })),
  changedHandler("a command has changed", overCommand("git", "log"), overCommand("git", "push")),
  changedHandler(
    "a command may show the value of one more variable",
    { ...overCommand("env"), needs: { env: ["TOKEN"] } },
    { handler: { command: { argv: ["env"], publicEnv: ["TOKEN"] } }, needs: { env: ["TOKEN"] } },
  ),
  {
    part: "declared handlers",
    what: "a command receives another variable",
    finding: "environment-widened",
    before: { spec: { ...overCommand("git", "log"), needs: { env: ["HOME"] } } },
    after: { spec: { ...overCommand("git", "log"), needs: { env: ["HOME", "DATABASE_PASSWORD"] } } },
  },
  {
    part: "declared handlers",
    what: "a handler in isolation receives another variable",
    finding: "environment-widened",
    before: { spec: { handler: { isolation: { memoryMb: 100 } }, needs: { env: ["HOME"] } } },
    after: { spec: { handler: { isolation: { memoryMb: 100 } }, needs: { env: ["HOME", "DATABASE_PASSWORD"] } } },
  },
  changedHandler("a handler has another connection", overHttp(), overHttp({ connection: "other" })),
  {
    part: "declared handlers",
    what: "a value is no longer bound by the host",
    finding: "bind-loosened",
    before: { spec: { ...overHttp(), ...bound } },
    after: { spec: overHttp() },
  },
  {
    part: "declared handlers",
    what: "a value is bound to something else",
    finding: "bind-loosened",
    before: { spec: { ...overHttp(), ...bound } },
    after: { spec: { ...overHttp(), bind: { name: "context.adminName" } } },
  },
  ...(
    [
      ["leads elsewhere", {}, { baseUrl: "https://api.example.org" }],
      ["allows private addresses", {}, { allowPrivateAddresses: true }],
      ["allows more hosts", {}, { allowedHosts: ["cdn.example.com"] }],
      ["has different rights", {}, { auth: { bearer: { env: "ADMIN_TOKEN" } } }],
    ] as const
  ).map(([what, before, after]): WayToLoosen => ({
    part: "declared handlers",
    what: `a connection ${what}`,
    finding: "connection-changed",
    before: connected(before),
    after: connected(after),
  })),
  {
    part: "declared handlers",
    what: "outputCheck: enforce → report → off",
    finding: "output-check-lowered",
    before: { spec: { outputCheck: "report" } },
    after: { spec: { outputCheck: "off" } },
  },
  {
    part: "declared handlers",
    what: "a claim covers a different handler than before",
    finding: "covers-changed",
    before: { spec: { ...overHttp(), behavior: { isOpenWorld: false } } },
    after: { spec: { ...overHttp({ path: "/users/{name}" }), behavior: { isOpenWorld: false } } },
  },
];

const toolsets = (...include: readonly (string | { readonly tag: string })[]): PlanInput => ({
  toolsets: [{ name: "support", include, exclude: [] }],
});

const lists: readonly WayToLoosen[] = [
  {
    part: "lists",
    what: "a tool joins a toolset, by the configuration",
    finding: "joined-toolset",
    before: { plan: toolsets("b") },
    after: { plan: toolsets("a", "b") },
  },
  {
    part: "lists",
    what: "a tool joins a toolset, by its tags",
    finding: "joined-toolset",
    before: { plan: toolsets({ tag: "support" }) },
    after: { plan: toolsets({ tag: "support" }), spec: { tags: ["support"] } },
  },
  {
    part: "lists",
    what: "a new toolset offers tools without the policy under which they were offered",
    finding: "toolset-added",
    before: { policy: { deny: ["a"] } },
    after: { policy: { deny: ["a"] }, toolsets: [{ name: "open", include: "all", exclude: [] }] },
  },
  {
    part: "lists",
    what: "dialects: what a dialect cannot carry is left out, and no build fails",
    finding: "uncarried-excluded",
    before: { plan: { dialects: ["anthropic"] } },
    after: { plan: { dialects: [{ id: "anthropic", strict: "auto", onUncarried: "exclude" }] } },
  },
];

const claimed: JsonObject = { behavior: { isOpenWorld: false } };
const entry = (more: JsonObject = {}): readonly JsonObject[] => [
  { claim: "behavior.isOpenWorld: false", reason: "It is local.", covers: "sha256:0", ...more },
];

/** Words about an approval. */
const GIVEN = { by: "Ada <ada@example.com>", on: "2029-01-31" };

const ledger: readonly WayToLoosen[] = [
  {
    part: "the ledger",
    what: "a claim and its approval arrive together",
    finding: "self-approved",
    before: {},
    after: { spec: claimed, approved: entry() },
  },
  {
    part: "the ledger",
    what: "a claim that waited is approved",
    finding: "approved-here",
    before: { spec: claimed },
    after: { spec: claimed, approved: entry() },
  },
  ...[undefined, "2031-01-31"].map((expires): WayToLoosen => ({
    part: "the ledger",
    what: expires === undefined ? "an approval no longer ends" : "an approval ends later",
    finding: "approval-prolonged",
    before: { spec: claimed, approved: entry({ expires: "2030-01-31" }) },
    after: { spec: claimed, approved: entry(expires === undefined ? {} : { expires }) },
  })),
  ...(
    [
      ["by somebody else", { ...GIVEN, by: "Eve <eve@example.com>" }],
      ["for another reason", { ...GIVEN, reason: "The security team looked at it." }],
      ["on an earlier day", { ...GIVEN, on: "2019-01-31" }],
      ["on no day", { by: GIVEN.by }],
    ] as const
  ).map(([what, now]): WayToLoosen => ({
    part: "the ledger",
    what: `an earlier approval now says that it was given ${what}`,
    finding: "approval-rewritten",
    before: { spec: claimed, approved: entry(GIVEN) },
    after: { spec: claimed, approved: entry(now) },
  })),
  {
    part: "the ledger",
    what: "an approval is given again on a later day",
    finding: "approved-here",
    before: { spec: claimed, approved: entry(GIVEN) },
    after: { spec: claimed, approved: entry({ by: "Eve <eve@example.com>", on: "2029-02-28" }) },
  },
  {
    part: "the ledger",
    what: "an approval now also excuses that the handler contradicts the claim",
    finding: "approved-here",
    before: { spec: claimed, approved: entry() },
    after: { spec: claimed, approved: entry({ contradicts: "http" }) },
  },
  {
    part: "declared handlers",
    what: "an approval is renewed after a change of what it covers",
    finding: "self-approved",
    before: { spec: { ...overHttp(), ...claimed }, approved: true },
    after: { spec: { ...overHttp({ path: "/users/{name}" }), ...claimed }, approved: true },
  },
  {
    part: "the ledger",
    what: "a claim covers different inputs than before",
    finding: "covers-changed",
    before: { spec: { ...claimed, ...withInput({ value: { ...text, maxLength: 1 } }).spec } },
    after: { spec: { ...claimed, ...withInput({ value: text }).spec } },
  },
];

const RULE = "naming/vague-name";

const asks: JsonObject = { tool: "a", when: inTest, decision: "ask" };
const denies: JsonObject = { tool: "b", decision: "deny" };
const asksOrDenies: JsonObject = {
  rules: [
    { tool: "b*", decision: "ask" },
    { tool: "a", decision: "deny" },
  ],
};
const allowsA: JsonObject = { rules: [{ tool: "a", decision: "allow" }] };
const inPolicy = (before: JsonObject, after: JsonObject): Pick<WayToLoosen, "part" | "before" | "after"> => ({
  part: "policies",
  before: { policy: before },
  after: { policy: after },
});

const policies: readonly WayToLoosen[] = [
  {
    part: "policies",
    what: "a toolset no longer has a policy",
    finding: "policy-loosened",
    before: { policy: { deny: ["a"] } },
    after: {},
  },
  {
    what: "a pattern is no longer denied",
    finding: "policy-loosened",
    ...inPolicy({ deny: ["a", "b"] }, { deny: ["b"] }),
  },
  {
    what: "a rule that asks or denies is gone",
    finding: "policy-loosened",
    ...inPolicy({ rules: [asks, denies] }, { rules: [asks] }),
  },
  {
    what: "a new rule allows",
    finding: "policy-loosened",
    ...inPolicy({ rules: [asks] }, { rules: [asks, { tool: "b", decision: "allow" }] }),
  },
  {
    part: "policies",
    what: "a new policy allows",
    finding: "policy-loosened",
    before: {},
    after: { policy: { rules: [{ tool: "a", decision: "allow" }] } },
  },
  {
    part: "policies",
    what: "a rule that allows now matches another tool",
    finding: "policy-loosened",
    before: { ...withInput({}), policy: { mode: "accept-writes" } },
    after: {
      spec: { concurrency: { class: "WRITE_EXCLUSIVE" }, behavior: { isDestructive: false } },
      policy: { mode: "accept-writes" },
    },
  },
  {
    part: "policies",
    what: "a tool that a rule allows accepts other calls",
    finding: "input-widened",
    before: { spec: { input: { type: "object", properties: { value: { ...text, maxLength: 2 } } } }, policy: allowsA },
    after: { spec: { input: { type: "object", properties: { value: text } } }, policy: allowsA },
  },
  {
    part: "policies",
    what: "a tool that a rule allows has another handler",
    finding: "covers-changed",
    before: { spec: overSql("SELECT 1"), policy: allowsA },
    after: { spec: overSql("DELETE FROM records"), policy: allowsA },
  },
  {
    part: "policies",
    what: "a tool that a rule allows has a handler of code in place of a declared one",
    finding: "covers-changed",
    before: { spec: overSql("SELECT 1"), policy: allowsA },
    after: { policy: allowsA },
  },
  {
    what: "the condition of a rule that allows is wider",
    finding: "policy-loosened",
    ...inPolicy(
      { rules: [{ tool: "a", when: inTest, decision: "allow" }] },
      { rules: [{ tool: "a", when: "input.env in ['test', 'prod']", decision: "allow" }] },
    ),
  },
  {
    what: "the condition of a rule that asks or denies is another",
    finding: "policy-may-loosen",
    ...inPolicy({ rules: [asks] }, { rules: [{ ...asks, when: "input.env == 'prod'" }] }),
  },
  {
    part: "policies",
    what: "the earlier policy had errors, so that it cannot be compared",
    finding: "policy-may-loosen",
    before: { policy: { deny: ["no_such_tool"] } },
    after: { policy: { deny: [] } },
  },
  {
    what: "a new rule asks where a later one may deny",
    finding: "policy-may-loosen",
    ...inPolicy({ rules: [denies] }, { rules: [asks, denies] }),
  },
  {
    what: "the rules are in a different order",
    finding: "policy-may-loosen",
    ...inPolicy({ rules: [denies, asks] }, { rules: [asks, denies] }),
  },
  {
    part: "policies",
    what: "a tool no longer has the name or alias by which a pattern denies it, or a rule asks or denies",
    finding: "policy-loosened",
    before: { spec: { aliases: ["b_old"] }, policy: { deny: ["b*"] } },
    after: { policy: { deny: ["b*"] } },
  },
  {
    part: "policies",
    what: "a tool has a new alias, by which a rule asks about it before another denies it",
    finding: "policy-may-loosen",
    before: { policy: asksOrDenies },
    after: { spec: { aliases: ["b_old"] }, policy: asksOrDenies },
  },
  {
    what: "a rule waives the guard of what leaves a conversation",
    finding: "path-opened",
    ...inPolicy(allowsA, { rules: [{ tool: "a", decision: "allow", flow: "allow" }] }),
  },
  {
    what: "a tool that reaches the outside no longer asks about its calls",
    finding: "path-opened",
    ...inPolicy({}, allowsA),
  },
  {
    what: "mode: plan → ask → accept-writes",
    finding: "policy-loosened",
    ...inPolicy({ mode: "ask" }, { mode: "accept-writes" }),
  },
];

const settings: readonly WayToLoosen[] = [
  {
    part: "settings",
    what: "rules: a severity is lower",
    finding: "rule-lowered",
    before: {},
    after: { plan: { rules: { [RULE]: "off" } } },
  },
  {
    part: "settings",
    what: "overrides: a severity is lower in a folder",
    finding: "rule-lowered",
    before: {},
    after: { plan: { overrides: [{ path: "specs", rules: { [RULE]: "off" } }] } },
  },
  {
    part: "settings",
    what: "overrides: one that raised a severity is gone, or comes before another",
    finding: "rule-lowered",
    before: { plan: { overrides: [{ path: "specs", rules: { [RULE]: "error" } }] } },
    after: {},
  },
  {
    part: "settings",
    what: "customRules: a rule is gone",
    finding: "rule-lowered",
    before: { plan: customRule("^team-") },
    after: {},
  },
  {
    part: "settings",
    what: "customRules: a rule checks something else",
    finding: "rule-changed",
    before: { plan: customRule("^team-") },
    after: { plan: customRule("^t") },
  },
  {
    part: "settings",
    what: "plugins: a plugin is new, and its code runs in every check and build",
    finding: "plugin-changed",
    before: {},
    after: { plan: plugin("sha256-a") },
  },
  {
    part: "settings",
    what: "plugins: the code of a plugin is another",
    finding: "plugin-changed",
    before: { plan: plugin("sha256-a") },
    after: { plan: plugin("sha256-b") },
  },
  {
    part: "settings",
    what: "plugins: the last build of the base loaded another code, which git does not hold",
    finding: "plugin-changed",
    before: { plan: plugin("sha256-b"), recorded: { acme: "sha256-a" } },
    after: { plan: plugin("sha256-b") },
  },
  ...["node_modules/@acme/preset/rules.yaml", "hasp.config.ts"].map((path): WayToLoosen => ({
    part: "settings",
    what: `the last build of the base read other settings from ${path}, with packages that git does not hold`,
    finding: "settings-unknown",
    before: { plan: { configDigests: { [path]: "sha256-b" } }, recorded: { [path]: "sha256-a" } },
    after: { plan: { configDigests: { [path]: "sha256-b" } }, recorded: { [path]: "sha256-b" } },
  })),
  {
    part: "settings",
    what: "ignore: a new entry",
    finding: "finding-ignored",
    before: {},
    after: { plan: { ignore: [{ rule: RULE, path: "specs", reason: "It is known." }] } },
  },
  {
    part: "settings",
    what: "ignore: an earlier entry covers a new finding",
    finding: "finding-silenced",
    before: { plan: { ignore: [{ rule: RULE, path: "specs", reason: "It is known." }] }, spec: { name: "find_order" } },
    after: {
      plan: { ignore: [{ rule: RULE, path: "specs", reason: "It is known." }] },
      spec: { name: "process_data" },
    },
  },
  ...Object.entries<PlanInput>({
    "a rule is lower": { overrides: [{ path: "specs/old", rules: { [RULE]: "off" } }] },
    "findings are ignored": { ignore: [{ rule: RULE, path: "specs/old", reason: "It is known." }] },
  }).map(([what, plan]): WayToLoosen => ({
    part: "settings",
    what: `a spec moves to a folder in which ${what}`,
    finding: "rule-lowered",
    before: { plan },
    after: { plan, folder: "specs/old" },
  })),
  {
    part: "settings",
    what: "a new comment `hasp-ignore`",
    finding: "finding-ignored",
    before: {},
    after: { comment: `# hasp-ignore ${RULE} -- It is known.` },
  },
  {
    part: "settings",
    what: "diff: a level is lower",
    finding: "level-lowered",
    before: {},
    after: { plan: { diff: { loosens: "warning" } } },
  },
  {
    part: "settings",
    what: "approvals: nobody must vouch for them any more",
    finding: "approvals-unverified",
    before: { plan: { approvals: { verify: "codeowners" } } },
    after: {},
  },
  {
    part: "settings",
    what: "callStore: it is gone",
    finding: "call-store-gone",
    before: { callStore: { files: ".hasp/calls" } },
    after: {},
  },
  {
    part: "settings",
    what: "context is in a different file",
    finding: "context-moved",
    before: { plan: { context: { file: "src/context.ts", type: "Context" } } },
    after: { plan: { context: { file: "src/other.ts", type: "Context" } } },
  },
  {
    part: "settings",
    what: "context: a file fills values into calls that nothing filled in",
    finding: "context-moved",
    before: { spec: { needs: { context: ["accountId"] } } },
    after: {
      spec: { needs: { context: ["accountId"] } },
      plan: { context: { file: "src/context.ts", type: "Context" } },
    },
  },
  ...(["outDir", "handlersDir"] as const).map((name): WayToLoosen => ({
    part: "settings",
    what: `${name === "outDir" ? "outDir" : "handlers"} is a different folder`,
    finding: "folder-changed",
    before: {},
    after: { plan: { [name]: "src/elsewhere" } },
  })),
  {
    part: "settings",
    what: "the registry names an extension no more",
    finding: "extension-gone",
    before: { spec: { visibility: { load: "deferred" } } },
    after: {},
  },
  {
    part: "settings",
    what: "toolsets: a toolset becomes partial",
    finding: "toolset-partial",
    before: { plan: toolsets("a") },
    after: { plan: { toolsets: [{ name: "support", include: ["a"], exclude: [], partial: true }] } },
  },
  ...(["note", "off"] as const).map((flow): WayToLoosen => ({
    part: "settings",
    what: `flow, of all toolsets or one: ask${flow === "off" ? " or note" : ""} → ${flow}`,
    finding: "flow-lowered",
    before: {
      plan: { toolsets: [{ name: "support", include: ["a"], exclude: [], flow: flow === "off" ? "note" : "ask" }] },
    },
    after: { plan: { toolsets: [{ name: "support", include: ["a"], exclude: [], flow }] } },
  })),
];

/** Every way to loosen a project, printed as a reference page. A test holds that `hasp diff` reports each example. */
export const WAYS_TO_LOOSEN: readonly WayToLoosen[] = [
  ...fields,
  ...rows,
  ...input,
  ...guards,
  ...declaredHandlers,
  ...lists,
  ...ledger,
  ...policies,
  ...settings,
];
