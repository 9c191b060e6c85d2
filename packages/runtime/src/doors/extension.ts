export type {
  Attachment,
  CallFacts,
  CallPart,
  Concern,
  DispatcherExtension,
  ExtensionHost,
  ToolDoor,
  TurnFacts,
  TurnPart,
  Vote,
} from "../dispatch/state/extension.js";
export type * from "../dispatch/state/program-types.js";
