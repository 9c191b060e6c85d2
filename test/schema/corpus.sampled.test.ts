import { dialects, flatten, lower, type DialectId, type LowerResult, closeSchema } from "@hasp/schema";
import { describe, expect, test } from "vitest";
import { inBoundedTime } from "../../packages/schema/src/in-bounded-time.testing.js";
import { findCompatibleFaults, findMoonshotFaults } from "./makers-rules.testing.js";
import { checkDialect } from "./dialect-checker.testing.js";
import { hasShared, readCorpus, readProviders } from "./shared.testing.js";

/** The dialects whose rules are collected apart. */
const FINDERS: { readonly [dialect: string]: (schema: unknown) => readonly string[] } = {
  moonshot: findMoonshotFaults,
  "openai-compatible": findCompatibleFaults,
};

describe.skipIf(!hasShared)("the corpus in every dialect (skipped without ../shared)", () => {
  const providers = hasShared ? readProviders() : {};
  const corpus = hasShared ? readCorpus() : [];
  const flat = corpus.map((entry) => ({ ...entry, flat: flatten(entry.schema) }));
  const usable = flat.filter((entry) => entry.flat.diagnostics.every(({ severity }) => severity !== "error"));

  /** As the compiler hands them to the lowering: closed where that is exact. */
  const forms = usable.map(({ name, flat: result }) => {
    const closed = closeSchema(result.schema, result);
    const isClosed = closed.diagnostics.every(({ severity }) => severity !== "error");
    return { name, form: isClosed ? closed : result };
  });

  test("the corpus is there, and all of it but what is no JSON Schema can be flattened", () => {
    expect(corpus).toHaveLength(650);
    expect(flat.length - usable.length).toBeLessThanOrEqual(90);
    expect(usable.length).toBeGreaterThanOrEqual(560);
  });

  test("each collection of facts is about a dialect", () => {
    expect(Object.keys(providers).filter((id) => !Object.hasOwn(dialects, id))).toEqual([]);
  });

  test.each(Object.entries(dialects).map(([id], index) => [id as DialectId, index] as const))(
    "%s carries each schema or says why not, by its facts, and lowering again changes nothing",
    (id, index) => {
      const facts = providers[id];
      const broken: string[] = [];
      let carried = 0;
      // A third of the corpus, another one for the next dialect; all of it with the slow tests.
      const taken = forms.filter(
        (_, number) => process.env["HASP_SAMPLES"] !== undefined || (number + index) % 3 === 0,
      );
      for (const [number, { name, form }] of taken.entries()) {
        let lowered: LowerResult;
        try {
          lowered = inBoundedTime(() => lower(form.schema, id, { flat: form, witnessBudget: 0 }));
        } catch (error) {
          broken.push(`${String(error)} in ${name}`);
          continue;
        }
        if (lowered.schema === undefined) {
          expect(
            lowered.diagnostics.some(({ severity }) => severity === "error"),
            name,
          ).toBe(true);
          continue;
        }
        carried += 1;
        expect(
          lowered.losses.filter(({ direction }) => direction === "narrowed"),
          name,
        ).toEqual([]);
        for (const { pointer, rule } of facts === undefined ? [] : checkDialect(lowered.schema, facts)) {
          broken.push(`${rule} at ${pointer} of ${name}`);
        }
        for (const fault of FINDERS[id]?.(lowered.schema) ?? []) broken.push(`${fault} of ${name}`);
        // A third of them, too: random schemas are lowered twice elsewhere.
        if ((number + index) % 3 !== 0) continue;
        const again = lower(lowered.schema, id, { flat: { originsOf: () => [] }, witnessBudget: 0 });
        expect(JSON.stringify(again.schema), name).toBe(JSON.stringify(lowered.schema));
      }
      expect([...new Set(broken)]).toEqual([]);
      const { nodes, someRequired } = dialects[id].shapes;
      const least = someRequired ? 0.8 : nodes === "typed" ? 0.9 : 0.99; // a fifth of the corpus requires nothing
      expect(carried / taken.length).toBeGreaterThan(least);
    },
  );
});
