import { checkCommand } from "./check-command.js";
import type { HandlerKind } from "../base/handler-kind.js";
import { findCommandEffects } from "./effects.js";
import { commandRequestSchema, commandRespondSchema, commandSchema } from "./command-schema.js";
import { findCommandReferences, printCommand } from "./print-command.js";

/** `handler.command`: one program, never a shell. */
export const command: HandlerKind<"command"> = {
  name: "command",
  schema: commandSchema,
  respond: commandRespondSchema,
  request: commandRequestSchema,
  references: findCommandReferences,
  effects: findCommandEffects,
  check: checkCommand,
  module: printCommand,
};
