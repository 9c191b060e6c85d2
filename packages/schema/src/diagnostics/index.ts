export { completeDefinitions, describeMessage, excerpt, formatDiagnostic, formatMessage } from "@hasp/base/diagnostics";
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
} from "@hasp/base/diagnostics";
