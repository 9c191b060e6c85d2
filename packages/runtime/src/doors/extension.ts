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
export type {
  ProgramCalls,
  ProgramOptions,
  ProgramPast,
  Programs,
  SettledProgramCall,
} from "../dispatch/state/dispatcher-types.js";
