import type { JsonObject } from "@hasp/schema";
import type { LoweredList } from "../model/lowered.js";
import type { DialectPlan } from "../model/plan.js";
import { dataLiteral } from "../typescript/data-literal.js";
import { docComment } from "../typescript/doc-comment.js";
import { layOut } from "../typescript/document.js";
import { importStatement } from "../typescript/import-statement.js";
import { typeDocument } from "../typescript/print-type.js";
import { typeOfValue } from "../typescript/type-node.js";
import type { Emitter } from "./emitter.js";
import { header } from "./header.js";
import { providerEntryTypes } from "./provider-entry-types.js";

/** One typed module a toolset and dialect: the same list, accepted by the types of the provider's own SDK. */
export const providerListTypeScript: Emitter = {
  name: "provider-list-typescript",
  emit: ({ toolsets, layout, plan }) =>
    toolsets.flatMap(({ name, lists }) =>
      lists.map((list) => ({
        path: layout.providerList(name, list.dialect, "ts"),
        owner: "hasp",
        text: listText(list, plan.dialects.find(({ id }) => id === list.dialect)),
      })),
    ),
};

function listText({ dialect, tools }: LoweredList, dialectPlan: DialectPlan | undefined): string {
  const type = providerEntryTypes[dialect];
  const fields = unknownFields(dialectPlan?.extra, type.extraFields);
  const declaration = `export const tools: ${fields === undefined ? type.name : `(${type.name} & ${fields})`}[]`;
  const literal = dataLiteral(
    tools.map(({ definition }) => definition),
    { column: declaration.length + 3 },
  );
  return [
    header("the specs"),
    "",
    importStatement([`type ${type.name}`], "@hasp/runtime/codegen"),
    "",
    ...docComment([`For ${type.use}`]),
    `${declaration} = ${literal};`,
    "",
  ].join("\n");
}

/** The type of the provider fields that the configuration adds and that the entry's own type does not know. */
function unknownFields(extra: JsonObject | undefined, known: readonly string[]): string | undefined {
  const unknown = Object.entries(extra ?? {}).filter(([field]) => !known.includes(field));
  return unknown.length === 0 ? undefined : layOut(typeDocument(typeOfValue(Object.fromEntries(unknown))));
}
