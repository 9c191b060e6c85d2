import fc from "fast-check";
import { expect, test } from "vitest";
import { buildTool } from "@hasp/runtime";
import { createValidator, flatten, lower, type JsonSchema, type JsonValue, closeSchema } from "@hasp/schema";
import { type LoadedDocument, findSchemaAt } from "@hasp/compiler/model";
import { parseSource } from "@hasp/compiler/source";
import { followReference as followInSource } from "../../packages/import/src/importers/source/documents.js";
import { resolveTarget } from "../../packages/language-server/src/symbols.js";
import { removeSecrets } from "@hasp/runtime/internal";
import { printType } from "../../packages/runtime/src/dispatch/registry/declare-tool.js";
import { generateValue } from "@hasp/schema/internal/generate";
import { escapeToken, findValueAt, followReference, writeReference } from "@hasp/base/json";

/** The definitions of a schema: each accepts its own number, and nothing else. */
type Definitions = { readonly [name: string]: JsonSchema & object };

/** Finds the number of the definition that a reference names; `undefined` if it leads nowhere. */
type Follow = (reference: string, $defs: Definitions) => number | undefined;

function loadedFrom(value: unknown): LoadedDocument {
  const { value: document } = parseSource({ uri: "defs.json", text: JSON.stringify(value), role: "shared" });
  if (document === undefined) throw new Error("The document must be JSON.");
  return document;
}

function numberOf(value: unknown): number | undefined {
  const constant = typeof value === "object" && value !== null ? Reflect.get(value, "const") : undefined;
  return typeof constant === "number" ? constant : undefined;
}

/** The resolver of `flatten`, which knows the most: documents, `$id`s and dynamic scopes. */
const byFlatten: Follow = ($ref, $defs) => {
  const { schema, diagnostics } = flatten({ $ref, $defs });
  return diagnostics.some(({ severity }) => severity === "error") ? undefined : numberOf(schema);
};

const FOLLOWERS: { readonly [name: string]: Follow } = {
  followReference: ($ref, $defs) => numberOf(followReference({ $defs }, $ref)?.value),
  "the compiler": ($ref, $defs) => numberOf(findSchemaAt({ $defs }, $ref)),
  "the mask of secrets": ($ref, $defs) => {
    const secrets = Object.entries($defs).map(([name, { const: number, ...rest }]): [string, JsonSchema] => [
      name,
      { ...rest, properties: { [String(number)]: { writeOnly: true } } },
    ]);
    const value = Object.fromEntries(secrets.map((_, index) => [index, "s"]));
    const { hidden } = removeSecrets(value, { $ref, $defs: Object.fromEntries(secrets) } as JsonSchema, {});
    return hidden.length === 1 && hidden[0] !== "" ? Number(hidden[0]?.slice(1)) : undefined;
  },
  "the declaration of a tool for programs": ($ref, $defs) => {
    const type = printType({ $ref, $defs });
    return type === "unknown" ? undefined : Number(type);
  },
  "the generator of results": ($ref, $defs) => {
    const found = generateValue(
      { $ref, $defs },
      () => true,
      () => 0,
    );
    return typeof found === "number" ? found : undefined;
  },
  "an import": ($ref, $defs) => {
    const found = followInSource($ref, loadedFrom({ $defs }), new Map());
    // An import follows no anchors, and says so.
    return "value" in found ? numberOf(found.value) : undefined;
  },
  "the language server": ($ref, $defs) => {
    const target = resolveTarget($ref, "defs.json", "");
    return target === undefined ? undefined : numberOf(findValueAt({ $defs } as unknown as JsonValue, target.pointer));
  },
};

/** Those that read flat schemas only, which have no anchors. */
const FLAT_FOLLOWERS: { readonly [name: string]: Follow } = {
  "the validator": ($ref, $defs) => {
    const validate = attempt(() => createValidator({ $ref, $defs }));
    return validate && Object.keys($defs).findIndex((_, index) => validate(index).valid);
  },
  "the closing of objects": ($ref, $defs) => {
    const { schema, diagnostics } = closeSchema({ $ref, $defs });
    const [closed] = typeof schema === "object" ? Object.values(schema.$defs ?? {}) : [];
    return diagnostics.length > 0 ? undefined : numberOf(closed);
  },
  "the lowering to a dialect": ($ref, $defs) => {
    const node = { type: "object", properties: { self: { $ref } }, additionalProperties: false } as const;
    const bodies = Object.entries($defs).map(([name, { const: number }]) => [name, { ...node, title: `${number}` }]);
    const schema = { ...node, $defs: Object.fromEntries(bodies) } as JsonSchema;
    const { schema: lowered = {}, diagnostics } = lower(schema, "mcp");
    if (diagnostics.some(({ severity }) => severity === "error")) return undefined;
    const [body] = Object.values((lowered as { readonly $defs?: { readonly [name: string]: object } }).$defs ?? {});
    return Number(Reflect.get(body ?? {}, "title"));
  },
  buildTool: ($ref, $defs) => {
    // Only a reference to the definition that holds it is recursive, and accepted.
    const found = Object.keys($defs).find((name) => {
      const node = { type: "object", properties: { self: { $ref } } };
      const input = { type: "object", properties: { a: { $ref: referTo(name) } }, $defs: { ...$defs, [name]: node } };
      const built = attempt(() =>
        buildTool({ name: "t", description: "T.", input: input as JsonSchema & object, execute: () => undefined }),
      );
      return built !== undefined;
    });
    return found === undefined ? undefined : numberOf($defs[found]);
  },
};

function attempt<Value>(make: () => Value): Value | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function referTo(name: string): string {
  return writeReference(`/$defs/${escapeToken(name)}`);
}

/** Names full of what the escapes of pointers and of URIs are made of. */
const aName = fc.string({
  unit: fc.constantFrom("a", "~", "~1", "/", "%", "%2F", "%zz", "0", " ", "é", "$", "length", "#", "?", '"'),
  maxLength: 4,
});

const definitionsOf = (names: readonly string[]): Definitions =>
  Object.fromEntries(names.map((name, index) => [name, { const: index }]));

/** Spells a reference in one of its many ways, or in one that is wrong. */
const aSpelling = fc.record({
  start: fc.constantFrom("#/$defs/", "#/%24defs/", "#%2F$defs%2f", "#/definitions/", "#/$defs//", "#", ""),
  isEscaped: fc.boolean(),
  encode: fc.func(fc.constantFrom("as it is", "upper", "lower")),
  end: fc.constantFrom("", "", "", "/", "/length", "/none"),
});

const aReference = fc
  .tuple(fc.uniqueArray(aName, { minLength: 1, maxLength: 4 }), aSpelling, aName)
  .map(([names, { start, isEscaped, encode, end }, other]) => {
    const name = names[encode(names) === "lower" ? names.length - 1 : 0] ?? other;
    const token = [...(isEscaped ? escapeToken(name) : name)].map((character, index) => {
      const how = encode(index);
      const encoded = encodeURIComponent(character);
      return how === "as it is" ? character : how === "upper" ? encoded : encoded.toLowerCase();
    });
    return { names, reference: start + token.join("") + end };
  });

test.each(Object.entries({ ...FOLLOWERS, ...FLAT_FOLLOWERS }))(
  "%s follows every reference to a definition as flatten does",
  (_, follow) => {
    let followed = 0;
    fc.assert(
      fc.property(aReference, ({ names, reference }) => {
        fc.pre(reference.startsWith("#") && reference !== "#");
        const $defs = definitionsOf(names);
        const expected = byFlatten(reference, $defs);
        if (expected !== undefined) followed += 1;
        expect(follow(reference, $defs)).toBe(expected);
      }),
    );
    expect(followed).toBeGreaterThan(6);
  },
);

test.each(Object.entries(FOLLOWERS).filter(([name]) => !/import|server/.test(name)))(
  "%s follows every anchor as flatten does",
  (_, follow) => {
    const anAnchor = fc.constantFrom("a", "b", "c", "a%62", "%61", "none", "%6", "a/b");
    fc.assert(
      fc.property(fc.uniqueArray(fc.constantFrom("a", "b", "c", "ab")), anAnchor, (anchors, wanted) => {
        const $defs = Object.fromEntries(
          anchors.map((anchor, index) => [
            `d${index}`,
            { const: index, [index % 2 ? "$anchor" : "$dynamicAnchor"]: anchor },
          ]),
        ) as Definitions;
        expect(follow(`#${wanted}`, $defs)).toBe(byFlatten(`#${wanted}`, $defs));
      }),
    );
  },
);

test("a reference that is written for a definition is followed to it, whatever its name is", () => {
  fc.assert(
    fc.property(aName, fc.constantFrom("", "\ud83d\ude00", "\ud83d", "__proto__"), (start, end) => {
      const name = start + end;
      expect(followReference({ $defs: { [name]: 1 } }, referTo(name))?.value).toBe(1);
    }),
  );
});
