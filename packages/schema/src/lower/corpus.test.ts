import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { closeSchema } from "../close/index.js";
import { dialects } from "../dialects/index.js";
import type { DialectId } from "../dialects/definition/dialect-id.js";
import { flatten } from "../flatten/index.js";
import type { JsonSchema, UncheckedSchema } from "../vocabulary/json-schema.js";
import { lower } from "./lower.js";

const corpus = new URL("../../../../../shared/corpus/", import.meta.url);
const isThere = existsSync(corpus);

interface CorpusEntry {
  readonly name: string;
  readonly inputSchema?: UncheckedSchema;
  readonly schema?: UncheckedSchema;
}

function readCorpus(): readonly { readonly name: string; readonly schema: UncheckedSchema }[] {
  return ["tools", "schemas"].flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, corpus)).flatMap((file) => {
      const data = JSON.parse(readFileSync(new URL(`${folder}/${file}`, corpus), "utf8")) as {
        readonly tools?: readonly CorpusEntry[];
        readonly schemas?: readonly CorpusEntry[];
      };
      return (data.tools ?? data.schemas ?? []).map((entry) => ({
        name: `${file} ${entry.name}`,
        schema: entry.inputSchema ?? entry.schema ?? true,
      }));
    }),
  );
}

/**
 * Flat and, where that is exact, closed: what the compiler hands to the lowering. Those that flatten refuses are left
 * out.
 */
function flatCorpus(): {
  readonly flat: readonly { readonly name: string; readonly schema: JsonSchema }[];
  readonly refused: number;
} {
  const entries = readCorpus();
  const flat = entries.flatMap(({ name, schema }) => {
    const result = flatten(schema);
    if (result.diagnostics.some((diagnostic) => diagnostic.severity === "error")) return [];
    const closed = closeSchema(result.schema);
    return [
      {
        name,
        schema: closed.diagnostics.some((diagnostic) => diagnostic.severity === "error")
          ? result.schema
          : closed.schema,
      },
    ];
  });
  return { flat, refused: entries.length - flat.length };
}

describe.skipIf(!isThere)("the corpus (skipped where ../shared is not beside the repository)", () => {
  const { flat, refused } = isThere ? flatCorpus() : { flat: [], refused: 0 };
  const options = { flat: { originsOf: () => [] }, witnessBudget: 0 };

  test.each(Object.keys(dialects) as DialectId[])(
    "%s carries each schema or says why not, and lowering again changes nothing",
    (id) => {
      const reasons = new Map<string, number>();
      let carried = 0;
      let losses = 0;
      for (const { name, schema } of flat) {
        const result = lower(schema, id, options);
        losses += result.losses.length;
        if (result.schema === undefined) {
          const reason = result.diagnostics.find((diagnostic) => diagnostic.severity === "error");
          expect(reason, name).toBeDefined();
          reasons.set(reason?.code ?? "", (reasons.get(reason?.code ?? "") ?? 0) + 1);
          continue;
        }
        carried += 1;
        expect(
          result.losses.filter((loss) => loss.direction === "narrowed"),
          name,
        ).toEqual([]);
        expect(JSON.stringify(lower(result.schema, id, options).schema), name).toBe(JSON.stringify(result.schema));
      }
      process.stdout.write(
        `${id}: ${carried} of ${flat.length} carried (${refused} more refused by flatten), ${losses} losses, ${JSON.stringify(Object.fromEntries(reasons))}\n`,
      );
      const { nodes, someRequired } = dialects[id].shapes;
      const least = someRequired ? 0.8 : nodes === "typed" ? 0.9 : 0.99; // a fifth of the corpus requires nothing
      expect(carried / flat.length).toBeGreaterThan(least);
    },
  );
});
