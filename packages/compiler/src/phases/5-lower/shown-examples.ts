import { isObject, readOwnMember } from "@hasp/base/json";
import type { Dialect, JsonValue, WireTool } from "@hasp/schema";

/** The description of a tool with what it shows of examples, and the examples that the entry shows, by index. */
interface ShownExamples {
  readonly description: string;
  readonly shown: readonly number[];
}

/** Most characters of an example in a description. */
const LONGEST_EXAMPLE = 300;

/** Shows all examples in the API's field, or else the first short one `inWords`, if the description has room. */
export function showExamples(
  { description, examples = [], deferred }: Pick<WireTool, "description" | "examples" | "deferred">,
  { exampleField, deferral, descriptionLength = Infinity }: Dialect,
  inWords: readonly JsonValue[],
): ShownExamples {
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
  if (Array.isArray(shown) && Array.isArray(stated)) return shown.map((each, at) => withoutFilled(each, stated[at]));
  if (!isObject(shown) || !isObject(stated)) return shown;
  const members = Object.entries(shown).map(([name, value]) => [name, value, readOwnMember(stated, name)] as const);
  const given = members.filter(([, value, before]) => value !== null || before !== undefined);
  return Object.fromEntries(given.map(([name, value, before]) => [name, withoutFilled(value, before)]));
}

/** Text that reads as a string without quotes, and as nothing else, wherever it stands in an example. */
const BARE = /^(?!(?:true|false|null)$)[\p{L}./#@*$~_](?:[\p{L}\p{M}\p{N} _./?!@*$=()#+&%~<>|'-]|:(?! ))*$/u;

/** Prints an example in fewer tokens than JSON: `path README.md, lines {first: 1}`. A bare text is shown as it is. */
function printExample(example: JsonValue): string {
  if (typeof example === "string") return example;
  const members = isObject(example) ? Object.entries(example) : [];
  return members.length === 0
    ? JSON.stringify(example)
    : members.map(([name, value]) => `${printName(name)} ${printValue(value)}`).join(", ");
}

function printValue(value: JsonValue): string {
  if (typeof value === "string" && BARE.test(value) && value.trim() === value) return value;
  if (Array.isArray(value)) return `[${value.map(printValue).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, each]) => `${printName(name)}: ${printValue(each)}`);
  return `{${members.join(", ")}}`;
}

function printName(name: string): string {
  return /[ :]/u.test(name) ? JSON.stringify(name) : printValue(name);
}
