import { isObject } from "@hasp/base/json";
import { flatten, type JsonObject, type JsonSchema } from "@hasp/schema";
import { walkSchema } from "@hasp/schema/vocabulary";
import type { Client, ClientFacts } from "@hasp/compiler/model";

/** A part of a list that a client does not take. */
interface ClientFault {
  readonly fact: keyof ClientFacts;
  /** The place in the entry. */
  readonly pointer: string;
  readonly effect: string;
  /** The part itself, or its size. */
  readonly is: string;
  readonly most: string;
}

/** Messages about the facts that a list does not fit. */
export const clientMessages: { readonly [fact in keyof ClientFacts]-?: string } = {
  nameLength:
    "{client} {effect}: {is} characters, and it allows {most}. Shorten the name of the tool, or of the server.",
  nameCharacters:
    "{client} {effect}: it allows only {most} in names, and {is:json} has other characters. Rename the tool.",
  descriptionLength:
    "{client} {effect}: this description has {is} characters, and a model reads {most}. Shorten it, or begin with what matters.",
  arrayItems:
    '{client} {effect}: the array at "{is}" does not say what its items are. Add `items`, such as `items: {}`.',
  outputRecursion:
    "{client} {effect}: the output schema refers to itself. Limit its depth, or leave it out of the list with `outputCheck: report`.",
  tools:
    "{client} {effect}: all servers together may have {most} tools, and this list has {is}. Split it into toolsets.",
};

/** Finds what a client does not take of an entry in an MCP list. Parts of other types than the protocol's count as absent. */
export function findClientFaults(entry: JsonObject, { facts }: Client, server = ""): readonly ClientFault[] {
  const found: ClientFault[] = [];
  const add = (fact: keyof ClientFacts, pointer: string, is: string, most = ""): void => {
    found.push({ fact, pointer, effect: facts[fact]?.effect ?? "", is, most });
  };
  const { name, description, inputSchema, outputSchema } = entry;
  const { nameLength, nameCharacters, descriptionLength, arrayItems, outputRecursion } = facts;
  if (typeof name === "string") {
    const whole = nameLength === undefined ? "" : writeName(nameLength.form, server, name);
    if (nameLength !== undefined && whole.length > nameLength.most) {
      add("nameLength", "/name", `"${whole}" has ${whole.length}`, String(nameLength.most));
    }
    if (nameCharacters !== undefined && !new RegExp(`^${nameCharacters.only}+$`, "u").test(name)) {
      add("nameCharacters", "/name", name, nameCharacters.only);
    }
  }
  if (descriptionLength !== undefined && typeof description === "string") {
    const { most } = descriptionLength;
    if (description.length > most) add("descriptionLength", "/description", String(description.length), String(most));
  }
  if (arrayItems !== undefined && isObject(inputSchema)) {
    walkSchema(inputSchema as JsonSchema, ({ schema, pointer }) => {
      if (typeof schema === "object" && schema.type === "array" && schema.items === undefined) {
        add("arrayItems", `/inputSchema${pointer}`, pointer);
      }
    });
  }
  if (outputRecursion !== undefined && isObject(outputSchema) && isRecursive(outputSchema)) {
    add("outputRecursion", "/outputSchema", "");
  }
  return found;
}

/** Writes the name of a tool as a client does. */
function writeName(form: string, server: string, tool: string): string {
  return form.replace("{server}", () => server).replace("{tool}", () => tool);
}

/** True if a reference is left when all others are replaced by what they refer to. */
function isRecursive(schema: JsonObject): boolean {
  let isFound = false;
  walkSchema(flatten(schema).schema, (each) => {
    isFound ||= typeof each.schema === "object" && each.schema.$ref !== undefined;
  });
  return isFound;
}
