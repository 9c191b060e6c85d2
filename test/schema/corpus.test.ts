import { dialects, flatten, lower, type DialectId, type LowerResult } from "@hasp/schema";
import { closeSchema } from "@hasp/schema/vocabulary";
import { describe, expect, test } from "vitest";
import { inBoundedTime } from "../../packages/schema/src/in-bounded-time.testing.js";
import { checkDialect } from "./dialect-checker.testing.js";
import { hasShared, readCorpus, readProviders, type DialectFacts } from "./shared.testing.js";

describe.skipIf(!hasShared)(
  "every lowered schema of the corpus, by the facts about its dialect (skipped without ../shared)",
  () => {
    const providers = hasShared ? readProviders() : {};
    const corpus = hasShared ? readCorpus() : [];
    const flat = corpus.map((entry) => ({ ...entry, flat: flatten(entry.schema) }));
    const usable = flat.filter((entry) => entry.flat.diagnostics.every(({ severity }) => severity !== "error"));

    test("the corpus is there, and all of it but what is no JSON Schema can be flattened", () => {
      expect(corpus).toHaveLength(650);
      expect(flat.length - usable.length).toBeLessThanOrEqual(90);
      expect(usable.length).toBeGreaterThanOrEqual(560);
    });

    const known = Object.entries(providers) as [DialectId, DialectFacts][];

    test("each collection of facts is about a dialect", () => {
      expect(known.map(([id]) => id).filter((id) => !Object.hasOwn(dialects, id))).toEqual([]);
    });

    test.each(known)("%s", (id, facts) => {
      const broken: string[] = [];
      let count = 0;
      for (const { name, isInput, flat: result } of usable) {
        const forms = [result, ...(isInput ? [closeSchema(result.schema, result)] : [])];
        for (const form of forms) {
          let lowered: LowerResult;
          try {
            lowered = inBoundedTime(() => lower(form.schema, id, { flat: form, witnessBudget: 0 }));
          } catch (error) {
            broken.push(`${String(error)} in ${name}`);
            continue;
          }
          if (lowered.schema === undefined) {
            expect(lowered.diagnostics.some(({ severity }) => severity === "error")).toBe(true);
            continue;
          }
          count += 1;
          for (const { pointer, rule } of checkDialect(lowered.schema, facts)) {
            broken.push(`${rule} at ${pointer} of ${name}`);
          }
        }
      }
      expect([...new Set(broken)]).toEqual([]);
      expect(count).toBeGreaterThan(500);
    });
  },
);
