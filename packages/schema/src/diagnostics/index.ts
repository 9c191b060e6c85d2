export { completeDefinitions, describeMessage, excerpt, formatDiagnostic, formatMessage } from "./message.js";
export type {
  DiagnosticDeclarations,
  DiagnosticDefinition,
  DiagnosticDefinitions,
  DiagnosticParameters,
  FormattedDiagnostic,
  TemplateParameters,
  Message,
  MessageParameters,
  MessageValues,
} from "./message.js";
