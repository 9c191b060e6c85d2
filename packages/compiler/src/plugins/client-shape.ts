import { attempt } from "@hasp/base/diagnostics";
import type { JsonObject } from "@hasp/schema";
import type { Client } from "../model/plan.js";
import { closed } from "../model/field-schemas.js";
import { partName } from "./dialect-shape.js";

const text: JsonObject = { type: "string", minLength: 1 };

function fact(properties: JsonObject = {}): JsonObject {
  return closed({
    required: [...Object.keys(properties), "effect", "source", "date"],
    properties: {
      ...properties,
      effect: text,
      source: text,
      date: {
        type: "string",
        pattern: "^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])$",
        "x-expected": "a day, such as 2026-08-18",
      },
    },
  });
}

const most: JsonObject = { type: "integer", minimum: 1 };

/** The form of a client; {@link findClientProblem} judges what its facts say together. */
export const clientForm: JsonObject = closed({
  required: ["id", "title", "facts"],
  properties: {
    id: partName,
    title: text,
    facts: closed({
      minProperties: 1,
      properties: {
        nameLength: fact({ form: text, most }),
        nameCharacters: fact({ only: text }),
        descriptionLength: fact({ most }),
        tools: fact({ most }),
        arrayItems: fact(),
        outputRecursion: fact(),
      },
    }),
  },
});

/** Finds facts of a client by which it would take no tool at all. */
export function findClientProblem({ facts: { nameLength, nameCharacters } }: Client): string | undefined {
  if (nameLength !== undefined) {
    const { form, most: longest } = nameLength;
    if (!form.includes("{tool}")) return `has no "{tool}" in the form of its names, "${form}".`;
    const around = form.replaceAll(/\{server\}|\{tool\}/gu, "x").length;
    if (around > longest) return `allows names of ${longest} characters, and the shortest of its form has ${around}.`;
  }
  const only = nameCharacters?.only ?? "[a-z]";
  const isClass = /^\[[A-Za-z0-9_.:/-]+\]$/u.test(only) && attempt(() => new RegExp(only, "u")) !== undefined;
  return isClass ? undefined : `has "${only}", which is not a class of characters such as [A-Za-z0-9_-].`;
}
