import type { HandlerKind } from "../base/handler-kind.js";
import { type Reference, referencesInTemplate, referencesInValue } from "../base/references.js";
import type { CommandDeclaration, SpecBind } from "../../model/handlers/declaration.js";
import { commandRequestSchema, commandRespondSchema, commandSchema } from "./command-schema.js";

/** `handler.command`: one program, never a shell. */
export const command: HandlerKind<"command"> = {
  name: "command",
  schema: commandSchema,
  respond: commandRespondSchema,
  request: commandRequestSchema,
  references,
};

function references({ argv, cwd }: CommandDeclaration, bind: SpecBind): readonly Reference[] {
  return [
    ...argv.flatMap((argument, index) => referencesInTemplate(argument, `/argv/${index}`, "argument", bind)),
    ...(cwd === undefined ? [] : referencesInValue(cwd, "/cwd", "folder", bind)),
  ];
}
