import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nameShared, type SharedNames } from "./shared-names.js";
import { createFormKey } from "./shared-schemas.js";

/** A definition as the test states it. */
interface Said {
  readonly digest: string;
  readonly isAlike: boolean;
  readonly isWorthAName: boolean;
  readonly roles: readonly string[];
}

type Definitions = Readonly<Record<string, Said>>;

/** Names that might collide with each other. */
const AUTHORED = [
  "Path",
  "path",
  "PathArguments",
  "FilesPath",
  "CommonFilesPath",
  "HTTPPath",
  "HttpPath",
  "Tree",
  "tree-",
];
const FILES = ["common/files.yaml", "common/more.yaml", "other/files.yaml"];

const said: fc.Arbitrary<Said> = fc.record({
  digest: fc.constantFrom("one", "two", "three"),
  isAlike: fc.boolean(),
  isWorthAName: fc.boolean(),
  roles: fc.uniqueArray(fc.constantFrom("", "Output", "ForMcp"), { minLength: 1 }),
});
const place = fc
  .tuple(fc.constantFrom(...FILES), fc.constantFrom(...AUTHORED))
  .map(([file, name]) => `${file}#/$defs/${name}`);
const sets: fc.Arbitrary<Definitions> = fc.dictionary(place, said, { minKeys: 1, maxKeys: 12 });

function namesOf(definitions: Definitions, isTaken: (name: string) => boolean = () => false): SharedNames {
  const uses = Object.entries(definitions).map(([definition, { digest, isAlike, isWorthAName }]) => ({
    definition,
    digest,
    isAlike,
    isWorthAName,
  }));
  const forms = Object.entries(definitions).flatMap(([definition, { digest, roles }]) =>
    roles.map((role) => ({ definition, digest: `${digest}${role}`, role, prose: "", within: [["", 1]] as const })),
  );
  const used = { uses, schemas: { uses: forms } };
  return nameShared(new Map(["first", "second"].map((tool) => [tool, used])), isTaken);
}

function namesFor(names: SharedNames, definition: string, { digest, roles }: Said): unknown {
  const constants = roles.map(
    (role) => names.schemas.get(createFormKey({ definition, digest: `${digest}${role}` }))?.name,
  );
  return [names.types.get(definition), constants];
}

/** Removes the suffix of callers' types. */
function authoredIn(definition: string): string {
  const authored = definition.slice(definition.lastIndexOf("/") + 1);
  return authored
    .replaceAll(/[^A-Za-z]/gu, "")
    .toLowerCase()
    .replace(/(?:arguments)+$/u, "");
}

describe("names of shared definitions", () => {
  test("gives shared definitions unique names", () => {
    fc.assert(
      fc.property(sets, (definitions) => {
        const { types, schemas } = namesOf(definitions);
        const typeNames = [...types.values()].flatMap(({ filled, plain }) => [...new Set([filled, plain])]);
        const constants = [...schemas.values()].map(({ name }) => name);
        for (const names of [typeNames, constants]) expect(new Set(names).size).toBe(names.length);
      }),
    );
  });

  test("names shared definitions alike in any order", () => {
    fc.assert(
      fc.property(sets, (definitions) => {
        expect(namesOf(Object.fromEntries(Object.entries(definitions).toReversed()))).toEqual(namesOf(definitions));
      }),
    );
  });

  test("keeps names when another definition changes, unless both authors chose one name", () => {
    fc.assert(
      fc.property(sets, place, fc.option(said), (definitions, changed, now) => {
        const { [changed]: _before, ...others } = definitions;
        const after = now === null ? others : { ...others, [changed]: now };
        const [namesBefore, namesAfter] = [namesOf(definitions), namesOf(after)];
        for (const [definition, each] of Object.entries(others)) {
          if (authoredIn(definition) === authoredIn(changed)) continue;
          expect(namesFor(namesAfter, definition, each)).toEqual(namesFor(namesBefore, definition, each));
        }
      }),
    );
  });
});
