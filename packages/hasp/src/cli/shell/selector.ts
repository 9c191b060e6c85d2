import { own } from "@hasp/base/json";
import { InvalidArgumentError, Option } from "commander";

/** The values of `--only`, by property. All properties must match; of the values of one, any but of `flag`, all. */
export interface Selector {
  readonly [property: string]: readonly string[] | undefined;
}

/** The values of each property: `<…>`, or words between bars. */
interface Properties {
  readonly [property: string]: string;
}

/** Declares `--only`, which takes conditions such as `tag:billing,class:UNSAFE`. */
export function declareSelector(what: string, properties: Properties): Option {
  return new Option(
    "--only <what...>",
    `only ${what} with ${listConditions(properties)}; different properties must all match`,
  ).argParser(parseConditions(properties));
}

/** Parses conditions. A word without a property is a value of `plain`, if there is one. */
export function parseConditions(
  properties: Properties,
  plain?: string,
): (text: string, before: Selector | undefined) => Selector {
  const read = (selector: Selector, condition: string): Selector => {
    const [, stated, rest = ""] = /^(\w+):(.*)$/su.exec(condition) ?? [];
    const [name = "", value] = stated === undefined ? [plain, condition] : [stated, rest];
    const takes = own(properties, name) ?? "";
    if (takes === "" || value.trim() === "" || !(takes.startsWith("<") || takes.split("|").includes(value))) {
      throw new InvalidArgumentError(`"${condition}" is none of ${listConditions(properties)}.`);
    }
    return { ...selector, [name]: [...(selector[name] ?? []), value] };
  };
  return (text, before = {}) => text.split(/,(?=\w+:)/u).reduce(read, before);
}

function listConditions(properties: Properties): string {
  return Object.entries(properties)
    .map(([name, value]) => `${name}:${value}`)
    .join(", ");
}
