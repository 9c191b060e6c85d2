export { defineExtension } from "../dispatch/state/define-extension.js";
export type {
  Attachment,
  CallFacts,
  CallPart,
  Concern,
  ExtensionHost,
  ToolDoor,
  TurnFacts,
  TurnPart,
  Vote,
} from "../dispatch/state/extension.js";
export type * from "../dispatch/state/program-types.js";
