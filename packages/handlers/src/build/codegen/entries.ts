/** The entry points that generated code imports of this package; `CODEGEN_ENTRIES` says what their numbers mean. */
export const ENTRIES = {
  command: "@hasp/handlers/command/v1",
  http: "@hasp/handlers/http/v1",
  oauth: "@hasp/handlers/oauth/v1",
  sql: "@hasp/handlers/sql/v1",
} as const;
