import { createValidator, type Validator } from "@hasp/schema/validate";
import { ErrorCodes, Message, type MessageStrategy, type MessageWriter } from "vscode-languageserver/node";
import { once } from "@hasp/base/json";

interface ProtocolRefusal {
  readonly code: number;
  readonly message: string;
}

/**
 * Enforces the protocol's order: nothing before the single `initialize`, nothing after `shutdown`, and only valid
 * parameters, which the library does not check. Answers refused requests and logs refused notifications.
 */
export function createMessageGate(schemas: Readonly<Record<string, object>>, writer: MessageWriter): MessageStrategy {
  let phase: "new" | "running" | "shut down" = "new";
  const validators = new Map(
    Object.entries(schemas).map(([method, schema]) => [method, once((): Validator => createValidator(schema))]),
  );

  const refusalOfRequest = (method: string): ProtocolRefusal | undefined => {
    if (phase === "shut down") return { code: ErrorCodes.InvalidRequest, message: "The server was shut down." };
    if (phase === "new" && method !== "initialize") {
      return { code: ErrorCodes.ServerNotInitialized, message: "The first request must be initialize." };
    }
    return phase === "running" && method === "initialize"
      ? { code: ErrorCodes.InvalidRequest, message: "The server was initialized before." }
      : undefined;
  };
  const refusalOfParameters = (method: string, parameters: unknown): ProtocolRefusal | undefined => {
    const { valid = true, errors = [] } = validators.get(method)?.()(parameters ?? null) ?? {};
    const reasons = errors.map(({ pointer, expected }) => `${pointer === "" ? "params" : pointer} must be ${expected}`);
    return valid ? undefined : { code: ErrorCodes.InvalidParams, message: `${method}: ${reasons.join("; ")}.` };
  };

  return {
    async handleMessage(message, next) {
      if (Message.isRequest(message)) {
        const { id, method, params } = message;
        const error = refusalOfRequest(method) ?? refusalOfParameters(method, params);
        if (error !== undefined) return writer.write({ jsonrpc: "2.0", id, error } as Message);
        if (method === "initialize") phase = "running";
        if (method === "shutdown") phase = "shut down";
      } else if (Message.isNotification(message)) {
        const { method, params } = message;
        if (method !== "exit" && phase !== "running") return;
        const refusal = refusalOfParameters(method, params);
        if (refusal !== undefined) {
          const log = { type: 1, message: refusal.message };
          return writer.write({ jsonrpc: "2.0", method: "window/logMessage", params: log } as Message);
        }
      }
      return next(message);
    },
  };
}

/** A JSON Schema of the required parameters; others are allowed. */
export type Schema = Readonly<Record<string, unknown>>;

type Schemas = Readonly<Record<string, Schema>>;

const text: Schema = { type: "string" };
const integer: Schema = { type: "integer" };
const count: Schema = { type: "integer", minimum: 0 };
const position = object({ line: count, character: count });
const range = object({ start: position, end: position });
const document: Schema = object({ uri: text });

export const documentParameters: Schema = object({ textDocument: document });
export const placeParameters: Schema = object({ textDocument: document, position });
export const referencesParameters: Schema = object({
  textDocument: document,
  position,
  context: object({ includeDeclaration: { type: "boolean" } }),
});
export const renameParameters: Schema = object({ textDocument: document, position, newName: text });
export const rangeParameters: Schema = object({ textDocument: document, range });
export const toolParameters: Schema = object({ textDocument: document, tool: text });

/** Parameters of the methods that the library handles. */
export const libraryParameters: Schemas = {
  initialize: object(
    { capabilities: { type: "object" } },
    {
      rootUri: { type: ["string", "null"] },
      workspaceFolders: { type: ["array", "null"], items: object({ uri: text }) },
    },
  ),
  "textDocument/didOpen": object({
    textDocument: object({ uri: text, languageId: text, version: integer, text }),
  }),
  "textDocument/didChange": object({
    textDocument: object({ uri: text, version: integer }),
    contentChanges: { type: "array", items: object({ text }, { range }) },
  }),
  "textDocument/didSave": documentParameters,
  "textDocument/didClose": documentParameters,
  "workspace/didChangeWatchedFiles": object({ changes: { type: "array", items: object({ uri: text }) } }),
};

function object(required: Schemas, optional: Schemas = {}): Schema {
  return { type: "object", required: Object.keys(required), properties: { ...required, ...optional } };
}
