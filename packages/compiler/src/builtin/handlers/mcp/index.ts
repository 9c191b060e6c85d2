import type { HandlerKind } from "../base/handler-kind.js";
import { checkMcpConnection } from "./check-mcp.js";
import { mcpEffects } from "./effects.js";
import { mcpConnectionSchema, mcpRequestSchema, mcpRespondSchema, mcpSchema } from "./mcp-schema.js";
import { printMcp, printMcpConnection } from "./print-mcp.js";

export const mcp: HandlerKind<"mcp"> = {
  name: "mcp",
  schema: mcpSchema,
  connectionSchema: mcpConnectionSchema,
  respond: mcpRespondSchema,
  request: mcpRequestSchema,
  // The input is passed on whole.
  references: () => [],
  effects: mcpEffects,
  check: () => {},
  checkConnection: checkMcpConnection,
  module: printMcp,
  connectionModule: printMcpConnection,
};
