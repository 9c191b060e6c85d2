import { own } from "@hasp/base/json";
import { InvalidArgumentError, Option } from "commander";

/** The values of `--only`, by property. All properties must match; of the values of one, any but of `flag`, all. */
export interface Selector {
  readonly [property: string]: readonly string[] | undefined;
}

/**
 * Declares `--only`, which takes conditions such as `tag:billing,class:UNSAFE`. `properties` names what each takes:
 * `<…>`, or words between bars.
 */
export function declareSelector(what: string, properties: { readonly [property: string]: string }): Option {
  const known = Object.entries(properties).map(([name, value]) => `${name}:${value}`);
  const read = (selector: Selector, condition: string): Selector => {
    const [, name = "", value = ""] = /^(\w+):(.*)$/su.exec(condition) ?? [];
    const takes = own(properties, name) ?? "";
    if (takes === "" || value.trim() === "" || !(takes.startsWith("<") || takes.split("|").includes(value))) {
      throw new InvalidArgumentError(`"${condition}" is none of ${known.join(", ")}.`);
    }
    return { ...selector, [name]: [...(selector[name] ?? []), value] };
  };
  return new Option(
    "--only <what...>",
    `only ${what} with ${known.join(", ")}; different properties must all match`,
  ).argParser((text: string, before: Selector = {}) => text.split(/,(?=\w+:)/u).reduce(read, before));
}
