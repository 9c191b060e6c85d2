import { createValidator, type Validator } from "@hasp/schema/validate";
import { ErrorCodes, Message, type MessageStrategy, type MessageWriter } from "vscode-languageserver/node";
import { once } from "../../../compiler/src/model/once.js";

/** The reason why a request is not carried out, in the terms of the protocol. */
interface Refusal {
  readonly code: number;
  readonly message: string;
}

/**
 * Lets through what the protocol allows now: nothing before `initialize`, which comes once, and nothing after `shutdown`;
 * of each method, only with parameters of its schema. The library answers whatever it knows whenever it comes, and calls
 * parameters that it does not expect a fault of the server. A refused request is answered, a refused notification logged.
 */
export function messageGate(schemas: Readonly<Record<string, object>>, writer: MessageWriter): MessageStrategy {
  let phase: "new" | "running" | "shut down" = "new";
  const validators = new Map(
    Object.entries(schemas).map(([method, schema]) => [method, once((): Validator => createValidator(schema))]),
  );

  const refusalOfRequest = (method: string): Refusal | undefined => {
    if (phase === "shut down") return { code: ErrorCodes.InvalidRequest, message: "The server was shut down." };
    if (phase === "new" && method !== "initialize") {
      return { code: ErrorCodes.ServerNotInitialized, message: "The first request must be initialize." };
    }
    return phase === "running" && method === "initialize"
      ? { code: ErrorCodes.InvalidRequest, message: "The server was initialized before." }
      : undefined;
  };
  const refusalOfParameters = (method: string, parameters: unknown): Refusal | undefined => {
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
