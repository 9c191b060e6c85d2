import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nameShared, type SharedNames } from "./shared-names.js";
import { formKey } from "./shared-schemas.js";

/** One definition in a set of shared files, as far as naming looks at it. */
interface Said {
  readonly digest: string;
  readonly isAlike: boolean;
  readonly isWorthAName: boolean;
  readonly roles: readonly string[];
}

type Definitions = Readonly<Record<string, Said>>;

/** Names by which neighbours could come into each other's way. */
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

/** The names in a project of two tools that both use every definition. */
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

/** Everything that files say about the name of one definition. */
function namesFor(names: SharedNames, definition: string, { digest, roles }: Said): unknown {
  const constants = roles.map((role) => names.schemas.get(formKey({ definition, digest: `${digest}${role}` }))?.name);
  return [names.types.get(definition), constants];
}

/** An author's name as far as it tells definitions apart: callers' types end in `Arguments`. */
function authoredIn(definition: string): string {
  const authored = definition.slice(definition.lastIndexOf("/") + 1);
  return authored
    .replaceAll(/[^A-Za-z]/gu, "")
    .toLowerCase()
    .replace(/(?:arguments)+$/u, "");
}

describe("names of shared definitions", () => {
  test("are unique", () => {
    fc.assert(
      fc.property(sets, (definitions) => {
        const { types, schemas } = namesOf(definitions);
        const typeNames = [...types.values()].flatMap(({ filled, plain }) => [...new Set([filled, plain])]);
        const constants = [...schemas.values()].map(({ name }) => name);
        for (const names of [typeNames, constants]) expect(new Set(names).size).toBe(names.length);
      }),
    );
  });

  test("do not depend on the order in which definitions come", () => {
    fc.assert(
      fc.property(sets, (definitions) => {
        expect(namesOf(Object.fromEntries(Object.entries(definitions).toReversed()))).toEqual(namesOf(definitions));
      }),
    );
  });

  test("stay when another definition changes, comes or goes, unless its author gave it the same name", () => {
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
      { numRuns: 1000 },
    );
  });
});
