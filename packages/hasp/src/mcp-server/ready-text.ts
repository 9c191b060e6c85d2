import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { once } from "node:events";
import type { Writable } from "node:stream";

/**
 * Makes a line-based transport send the frozen tool list without serializing it again. Other messages are unaffected.
 */
export function withReadyText<Base extends Transport>(transport: Base, output: Writable): Base {
  const texts = new WeakMap<object, string>();
  const send = transport.send.bind(transport);
  return Object.assign(transport, {
    async send(message: JSONRPCMessage): Promise<void> {
      const list = listIn(message);
      if (list === undefined) return send(message);
      let text = texts.get(list.tools);
      if (text === undefined) texts.set(list.tools, (text = JSON.stringify(list.tools)));
      const line = `{"jsonrpc":"2.0","id":${JSON.stringify(list.id)},"result":{"tools":${text}}}\n`;
      if (!output.write(line)) await once(output, "drain");
    },
  });
}

/** Recognizes a `tools/list` response that contains nothing else. */
function listIn(message: JSONRPCMessage): { readonly id: string | number; readonly tools: object } | undefined {
  if (!("result" in message) || message.id === undefined) return undefined;
  const { tools, ...rest } = message.result as { readonly tools?: unknown };
  const isConstant = typeof tools === "object" && tools !== null && Object.isFrozen(tools);
  return isConstant && Object.keys(rest).length === 0 ? { id: message.id, tools } : undefined;
}
