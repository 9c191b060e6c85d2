import type { JsonObject, JsonValue } from "@hasp/schema";
import { isList, isObject } from "../../model/json-kind.js";
import type { EntryReader } from "../entries/source-entry.js";
import type { ImportSource } from "../source/import-source.js";
import { objectOf, textOf } from "../source/json-values.js";
import { inHouseOrder } from "../translation/schema-words.js";
import type { Operation } from "./operations.js";
import { objectAt, type LocatedObject } from "./openapi-document.js";
import type { SecurityScheme } from "./security.js";
import { escapeToken } from "../../model/json-pointer.js";

const PLACES = ["path", "query", "header", "cookie"] as const;
/** Headers that parameters cannot set (OpenAPI 3.0.3, Parameter Object), and one that carries credentials. */
const SET_ELSEWHERE: ReadonlySet<string> = new Set(["accept", "content-type", "authorization"]);
/** The serialization details of a parameter that `origin` keeps if they are not the default for its location. */
const SERIALISATION = ["style", "explode", "allowReserved", "allowEmptyValue"];

/** A parameter of an operation. */
export interface Parameter extends LocatedObject {
  readonly name: string;
  readonly in: (typeof PLACES)[number];
  readonly isRequired: boolean;
}

/** Returns the parameters of an operation, which override those of its path, without any that carry credentials. */
export function parametersOf(
  { item, entry, path }: Operation,
  { documents }: ImportSource,
  schemes: readonly SecurityScheme[],
  { note, locate, name: tool }: EntryReader,
): readonly Parameter[] | undefined {
  const found = new Map<string, Parameter>();
  let isWhole = true;
  const own = isObject(entry.value) ? entry.value["parameters"] : undefined;
  for (const [list, base] of [
    [item.value["parameters"], item.pointer],
    [own, entry.pointer],
  ] as const) {
    if (list !== undefined && !isList(list)) {
      note("broken-parameter", item.document.locate(`${base}/parameters`), {
        tool,
        problem: "this must be a list of parameters",
      });
      isWhole = false;
    }
    for (const [index, value] of (isList(list) ? list : []).entries()) {
      const pointer = `${base}/parameters/${index}`;
      const placed = objectAt({ value, document: item.document, pointer }, documents);
      const parameter = typeof placed === "string" ? placed : parameterAt(placed);
      if (typeof parameter === "string") {
        note("broken-parameter", item.document.locate(pointer), { tool, problem: parameter });
        isWhole = false;
      } else {
        found.set(
          `${parameter.in} ${parameter.in === "header" ? parameter.name.toLowerCase() : parameter.name}`,
          parameter,
        );
      }
    }
  }
  const parameters = [...found.values()].filter((parameter) => {
    const isCredential = schemes.some((scheme) => scheme.carriedBy(parameter));
    if (isCredential) {
      note("credential-left-out", parameter.document.locate(parameter.pointer), { name: parameter.name });
    }
    return !isCredential && !(parameter.in === "header" && SET_ELSEWHERE.has(parameter.name.toLowerCase()));
  });
  for (const [, name = ""] of path.matchAll(/\{([^{}]+)\}/gu)) {
    if (found.has(`path ${name}`)) continue;
    note("path-parameter-unknown", locate(""), { tool, path, name });
    isWhole = false;
  }
  return isWhole ? parameters : undefined;
}

function parameterAt(placed: LocatedObject): Parameter | string {
  const { name, in: written, required } = placed.value;
  const place = PLACES.find((known) => known === written);
  if (typeof name !== "string" || name === "") return "it has no name";
  if (place === undefined) return `"in" must be one of ${PLACES.join(", ")}`;
  return { ...placed, name, in: place, isRequired: place === "path" || required === true };
}

/** Returns the input schema of a parameter: its own schema with the annotations of the parameter. */
export function schemaOfParameter(
  { value, document, pointer, name }: Parameter,
  { translate, note, name: tool }: EntryReader,
): JsonValue | undefined {
  const content = isObject(value["content"]) ? Object.entries(value["content"])[0] : undefined;
  const [mediaType, media] = content ?? [];
  const written = content === undefined ? value["schema"] : isObject(media) ? media["schema"] : undefined;
  if (written === undefined || (mediaType !== undefined && !/json/iu.test(mediaType))) {
    note("broken-parameter", document.locate(pointer), {
      tool,
      problem: `"${name}" has no schema that JSON can express`,
    });
    return undefined;
  }
  const inner = content === undefined ? "/schema" : `/content/${escapeToken(mediaType ?? "")}/schema`;
  const schema = translate(written, { role: "input", pointer: pointer + inner, document });
  if (schema === undefined || !isObject(schema)) return schema;
  const described = describedBy(textOf(value["description"]), schema);
  const example = value["example"];
  return inHouseOrder([
    ...Object.entries(described),
    ...(example === undefined || Object.hasOwn(schema, "examples") ? [] : [["examples", [example]] as const]),
    ...(value["deprecated"] === true ? [["deprecated", true] as const] : []),
  ]);
}

/** Adds an outer description to a schema; it comes first if both exist. */
export function describedBy(description: string | undefined, schema: JsonObject): JsonObject {
  const own = textOf(schema["description"]);
  if (description === undefined || description === own) return schema;
  return inHouseOrder(
    Object.entries({ ...schema, description: own === undefined ? description : `${description}\n${own}` }),
  );
}

/** Returns what a handler must know to send a parameter. */
export function factsOfParameter(parameter: Parameter, inputName: string): JsonObject {
  const { value, name } = parameter;
  return objectOf([
    ["in", parameter.in],
    ["name", name === inputName ? undefined : name],
    ...SERIALISATION.map((word): readonly [string, JsonValue | undefined] => [word, value[word]]),
    ["contentType", isObject(value["content"]) ? Object.keys(value["content"])[0] : undefined],
  ]);
}
