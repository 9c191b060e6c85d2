import { isList, isObject, readOwnMember } from "@hasp/base/json";
import type { Dialect, JsonObject, JsonValue, WireTool } from "@hasp/schema";

/** Most characters of an example in a description. */
const LONGEST_EXAMPLE = 300;

/**
 * Shows all examples in the API's field, or else the first short one `inWords`, if the description has room. Returns the
 * description, and the examples that the entry shows, by index.
 */
export function showExamples(
  { description, examples = [], deferred }: Pick<WireTool, "description" | "examples" | "deferred">,
  { exampleField, deferral, descriptionLength = Infinity }: Dialect,
  inWords: readonly JsonValue[],
): { readonly description: string; readonly shown: readonly number[] } {
  const isInField = exampleField !== undefined && !(deferred && deferral !== undefined);
  if (isInField) return { description, shown: [...examples.keys()] };
  const texts = inWords.map(printExample);
  const index = texts.findIndex(({ length }) => length <= LONGEST_EXAMPLE);
  const text = `Example: ${texts[index]}`;
  const described = `${description}${`${description}${text}`.includes("\n") ? "\n" : " "}${text}`;
  return index === -1 || described.length > descriptionLength
    ? { description, shown: [] }
    : { description: described, shown: [index] };
}

/** Leaves out each null that lowering wrote for an absent member. */
export function withoutFilled(shown: JsonValue, stated: JsonValue | undefined): JsonValue {
  if (isList(shown) && isList(stated)) return shown.map((each, at) => withoutFilled(each, stated[at]));
  if (!isObject(shown) || !isObject(stated)) return shown;
  const given = Object.entries(shown).filter(([name, value]) => value !== null || Object.hasOwn(stated, name));
  return Object.fromEntries(given.map(([name, value]) => [name, withoutFilled(value, readOwnMember(stated, name))]));
}

/** Text that reads as a string without quotes, and as nothing else, wherever it stands in an example. */
const BARE = /^(?!(?:true|false|null)$)[\p{L}./#@*$~_](?:[\p{L}\p{M}\p{N} _./?!@*$=()#+&%~<>|'-]|:(?! ))*(?<! )$/u;

/** Prints an example in fewer tokens than JSON: `path README.md, lines {first: 1}`. A bare text is shown as it is. */
function printExample(example: JsonValue): string {
  return isObject(example) ? printMembers(example, " ") || "{}" : String(example);
}

function printMembers(members: JsonObject, between: string): string {
  const print = ([name, value]: [string, JsonValue]): string =>
    `${/[ :]/u.test(name) ? JSON.stringify(name) : printValue(name)}${between}${printValue(value)}`;
  return Object.entries(members).map(print).join(", ");
}

function printValue(value: JsonValue): string {
  if (isList(value)) return `[${value.map(printValue).join(", ")}]`;
  if (isObject(value)) return `{${printMembers(value, ": ")}}`;
  return typeof value === "string" && BARE.test(value) ? value : JSON.stringify(value);
}
