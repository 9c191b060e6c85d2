/** The entry points that generated code imports; `CODEGEN_ENTRIES` says what their numbers mean. */
export const ENTRIES = {
  http: "@hasp/handlers/http/v1",
  mcp: "@hasp/mcp/handler/v1",
  oauth: "@hasp/handlers/oauth/v1",
} as const;
