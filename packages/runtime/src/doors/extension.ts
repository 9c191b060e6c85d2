export type {
  Attachment,
  CallFacts,
  CallPart,
  Concern,
  DispatcherExtension,
  ExtensionHost,
  TurnFacts,
  TurnPart,
  Vote,
} from "../dispatch/state/extension.js";
