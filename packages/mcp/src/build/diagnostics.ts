import { defineDiagnostics, type DiagnosticFactory } from "@hasp/base/diagnostics";

const definitions = {
  "key-of-server": {
    message: 'The connection "{connection}" sends an API key in its {place}, where MCP servers do not read one.',
    help: "Write `in: header`. A server that reads its key elsewhere needs a client of your own: `{ context: <member> }`.",
  },
} as const;

export const mcpDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("handler", definitions);
