import { checkCommand } from "./check-command.js";
import type { HandlerKind } from "../base/handler-kind.js";
import { commandEffects } from "./effects.js";
import { commandRequestSchema, commandRespondSchema, commandSchema } from "./command-schema.js";
import { commandReferences, printCommand } from "./print-command.js";

/** `handler.command`: one program, never a shell. */
export const command: HandlerKind<"command"> = {
  name: "command",
  schema: commandSchema,
  respond: commandRespondSchema,
  request: commandRequestSchema,
  references: commandReferences,
  effects: commandEffects,
  check: checkCommand,
  module: printCommand,
};
