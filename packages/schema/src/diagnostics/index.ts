export { describeMessage, excerpt, formatDiagnostic, formatMessage } from "./message.js";
export type {
  DiagnosticDefinition,
  DiagnosticDefinitions,
  DiagnosticParameters,
  FormattedDiagnostic,
  TemplateParameters,
  Message,
  MessageParameters,
  MessageValues,
} from "./message.js";
