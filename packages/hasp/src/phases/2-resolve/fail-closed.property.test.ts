import { FAIL_CLOSED_DEFAULTS } from "@hasp/runtime";
import fc from "fast-check";
import { expect, test } from "vitest";
import { load } from "../1-load/index.js";
import { resolve } from "./index.js";

const optional = <Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(arbitrary, { nil: undefined });
const limit = fc.oneof(fc.integer({ min: 1, max: 1_000_000 }), fc.constant("unlimited" as const));

/** The part of a spec that says how a tool behaves, with anything left out. */
const claims = fc.record({
  concurrency: fc.record({ class: optional(fc.constantFrom("UNSAFE", "WRITE_EXCLUSIVE", "READ_ONLY")) }),
  behavior: fc.record({
    isReadOnly: optional(fc.boolean()),
    isDestructive: optional(fc.boolean()),
    isIdempotent: optional(fc.constantFrom(true, false, "withKey" as const)),
    isOpenWorld: optional(fc.boolean()),
    requiresPermission: optional(fc.boolean()),
    requiresUserInteraction: optional(fc.boolean()),
    abortsSiblingsOnError: optional(fc.boolean()),
  }),
  limits: fc.record({
    maxResultSizeChars: optional(limit),
    timeoutSeconds: optional(limit),
    maxRetries: optional(fc.nat(5)),
  }),
});

type Claims = typeof claims extends fc.Arbitrary<infer Value> ? Value : never;

/** Fields whose value is milder than the default, each with a test of that. */
const milder: { readonly [path: string]: (value: unknown) => boolean } = {
  "concurrency.class": (value) => value !== "UNSAFE",
  "behavior.isReadOnly": (value) => value === true,
  "behavior.isDestructive": (value) => value === false,
  "behavior.isIdempotent": (value) => value !== false,
  "behavior.isOpenWorld": (value) => value === false,
  "behavior.requiresPermission": (value) => value === false,
  "limits.maxResultSizeChars": (value) => value === "unlimited" || Number(value) > 100_000,
  "limits.timeoutSeconds": (value) => value === "unlimited" || Number(value) > 60,
  "limits.maxRetries": (value) => Number(value) > 0,
};

function at(value: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (current, key) => (typeof current === "object" && current !== null ? Reflect.get(current, key) : undefined),
      value,
    );
}

function resolveClaims(stated: Claims) {
  const spec = { hasp: 1, name: "a", description: "A.", input: { type: "object", properties: {} }, ...stated };
  const sources = [{ uri: "a.tool.json", text: JSON.stringify(spec), role: "spec" }] as const;
  return resolve(load(sources).value, sources);
}

test("what a spec omits is strict, what it states holds, and whatever is milder is a claim", () => {
  fc.assert(
    fc.property(claims, (stated) => {
      const { value, diagnostics } = resolveClaims(stated);
      const [tool] = value;
      if (tool === undefined) {
        expect(diagnostics.map(({ code }) => code)).toContain("resolve/contradiction");
        return;
      }
      const claimed = new Set(tool.relaxations.map(({ claim }) => claim.slice(0, claim.indexOf(":"))));
      const isEntailed = (path: string): boolean =>
        stated.concurrency.class === "READ_ONLY" && /\.(?:isReadOnly|isDestructive|isIdempotent)$/u.test(path);
      for (const [path, isMilder] of Object.entries(milder)) {
        const value = at(tool.metadata, path);
        const written = at(stated, path);
        if (written !== undefined) expect(value, path).toBe(written);
        else if (!isEntailed(path)) expect(value, path).toBe(at(FAIL_CLOSED_DEFAULTS, path));
        expect(claimed.has(path), path).toBe(isMilder(value) && !isEntailed(path));
        expect(tool.stated.has(path), path).toBe(written !== undefined || isEntailed(path));
      }
    }),
    { numRuns: 500 },
  );
});
