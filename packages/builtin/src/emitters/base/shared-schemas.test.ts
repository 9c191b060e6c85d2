import fc from "fast-check";
import { expect, test } from "vitest";
import { compile } from "../../../../../test/compiler/built-in.testing.js";
import type { SourceText } from "@hasp/compiler";

interface Said {
  readonly wording: string;
  readonly isOpen: boolean;
  readonly refers: readonly string[];
}

type Definitions = Readonly<Record<string, Said>>;

const NAMES = ["Address", "Booking", "Customer", "Discount", "Event"] as const;
const SHARED = "specs/common.yaml";

const said: fc.Arbitrary<Said> = fc.record({
  wording: fc.constantFrom("as it is written down", "as it is spoken", "as it was agreed"),
  isOpen: fc.boolean(),
  refers: fc.subarray([...NAMES]),
});
const sets: fc.Arbitrary<Definitions> = fc.dictionary(fc.constantFrom(...NAMES), said, { minKeys: 2 });

/** Makes a shared file, and two tools for each definition in it. */
function sourcesOf(definitions: Definitions): readonly SourceText[] {
  const schemas = Object.entries(definitions).map(([name, { wording, isOpen, refers }]) => {
    const inner = refers.filter((other) => other < name && Object.hasOwn(definitions, other));
    const texts = ["first", "second", "third"].map((word) => [
      word,
      { type: "string", description: `The ${word} line of the ${name}, ${wording}.` },
    ]);
    const properties = Object.fromEntries([
      ...texts,
      ...inner.map((other) => [other.toLowerCase(), { $ref: `#/$defs/${other}` }]),
    ]);
    return [name, { type: "object", properties, ...(isOpen ? { additionalProperties: { type: "string" } } : {}) }];
  });
  const tools = Object.keys(definitions).flatMap((name) =>
    ["find", "keep"].map((verb): SourceText => {
      const schema = { type: "object", properties: { it: { $ref: `common.yaml#/$defs/${name}` } } };
      const spec = { hasp: 1, name: `${verb}_${name.toLowerCase()}`, description: `Work on a ${name}.` };
      const text = JSON.stringify({ ...spec, input: schema, output: schema });
      return { uri: `specs/${spec.name}.tool.yaml`, role: "spec", text };
    }),
  );
  return [{ uri: SHARED, role: "shared", text: JSON.stringify({ $defs: Object.fromEntries(schemas) }) }, ...tools];
}

async function exportsOf(definitions: Definitions): Promise<ReadonlyMap<string, readonly string[]>> {
  const { files, diagnostics } = await compile(
    sourcesOf(definitions),
    { dialects: ["mcp", "gemini"] },
    { emits: true },
  );
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const modules = files.filter(({ path }) => /\/(?:definitions|types)\.ts$/u.test(path));
  expect(modules.length).toBeGreaterThan(0);
  const declared = modules.flatMap(({ text }) =>
    [...text.matchAll(/^export (?:const|interface|type) (?<name>\w+)/gmu)].map(({ groups }) => groups?.["name"] ?? ""),
  );
  const ofDefinition = (definition: string): readonly string[] =>
    declared.filter((each) => each.toLowerCase().startsWith(definition.toLowerCase()));
  return new Map<string, readonly string[]>(NAMES.map((definition) => [definition, ofDefinition(definition)]));
}

function isSameApartFromWording(before: Said | undefined, now: Said): boolean {
  return before?.isOpen === now.isOpen && String(before.refers) === String(now.refers);
}

test("neither renames nor moves a definition when another changes", async () => {
  await fc.assert(
    fc.asyncProperty(sets, fc.constantFrom(...NAMES), fc.option(said), async (definitions, changed, now) => {
      const { [changed]: _before, ...others } = definitions;
      const holds = (name: string): boolean =>
        (others[name]?.refers ?? []).some((each) => each < name && (each === changed || holds(each)));
      // Rewording a nested definition may change only that definition's holders.
      const isReworded = now !== null && isSameApartFromWording(definitions[changed], now);
      const after = now === null ? others : { ...others, [changed]: now };
      const [before, later] = [await exportsOf(definitions), await exportsOf(after)];
      for (const name of Object.keys(others)) {
        if (holds(name) && !isReworded) continue;
        expect(before.get(name), name).not.toEqual([]);
        expect(later.get(name), name).toEqual(before.get(name));
      }
    }),
    { numRuns: 4 },
  );
});
