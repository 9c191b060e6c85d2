import { isStructured } from "@hasp/base/json";
import { once } from "node:events";
import { attempt } from "@hasp/base/diagnostics";
import { Transform, type Readable, type Writable } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";

/** Makes a line-based transport send the frozen tool list without serializing it again. */
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

function listIn(message: JSONRPCMessage): { readonly id: string | number; readonly tools: object } | undefined {
  if (!("result" in message) || message.id === undefined) return undefined;
  const { tools, ...rest } = message.result as { readonly tools?: unknown };
  const isConstant = isStructured(tools) && Object.isFrozen(tools);
  return isConstant && Object.keys(rest).length === 0 ? { id: message.id, tools } : undefined;
}

/** The limit of the SDK's transport for one message with its line break. */
const MAX_MESSAGE_BYTES: number = 10 * 1024 * 1024;

const NEWLINE = 10;
const INVALID_REQUEST = -32600;

/**
 * Forwards a client's messages, one per line. Answers oversized requests and responses with an error; the transport
 * would silently close the connection.
 */
export function limitMessages(
  input: Readable,
  output: Writable,
  report: (message: string) => void,
  maxBytes: number = MAX_MESSAGE_BYTES,
): Readable {
  let parts: Buffer[] = [];
  let size = 0;
  let skipped: EnvelopeReader | undefined;

  const refuse = ({ id, isRequest }: Envelope): void => {
    const message = `A client message exceeds ${maxBytes} bytes and was not read.`;
    report(message);
    // A notification has no id and gets no response.
    if (id === undefined) return;
    const line = `${JSON.stringify({ jsonrpc: "2.0", id, error: { code: INVALID_REQUEST, message } })}\n`;
    if (isRequest) output.write(line);
    else limited.push(line);
  };

  const limited = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let rest = chunk; rest.length > 0;) {
        const end = rest.indexOf(NEWLINE);
        const part = end < 0 ? rest : rest.subarray(0, end + 1);
        rest = rest.subarray(part.length);
        size += part.length;
        parts.push(part);
        if (size > maxBytes) {
          skipped ??= createEnvelopeReader();
          for (const each of parts) skipped.read(each);
          parts = [];
        }
        if (end < 0) continue;
        if (skipped === undefined) this.push(Buffer.concat(parts));
        else refuse(skipped.envelope());
        skipped = undefined;
        parts = [];
        size = 0;
      }
      done();
    },
  });
  return input.pipe(limited);
}

interface Envelope {
  readonly id: string | number | undefined;
  /** Responses have no method. */
  readonly isRequest: boolean;
}

/** A reader that finds the envelope of a message without buffering the message. */
interface EnvelopeReader {
  read(bytes: Buffer): void;
  envelope(): Envelope;
}

/** Maximum bytes kept of a member; a longer id is not returned. */
const MAX_MEMBER_BYTES = 1000;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPENING: readonly number[] = [0x7b, 0x5b];
const CLOSING: readonly number[] = [0x7d, 0x5d];

/** Tracks strings and brackets, and keeps the members of the outermost object. */
function createEnvelopeReader(): EnvelopeReader {
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  let token: number[] = [];
  let key: unknown;
  let id: unknown;
  let isRequest = false;

  const endToken = (): unknown => {
    const value = parsed(Buffer.from(token).toString());
    token = [];
    return value;
  };
  const endMember = (): void => {
    const value = endToken();
    if (key === "id") id = value;
    if (key === "method") isRequest = true;
    key = undefined;
  };
  return {
    read(bytes) {
      for (const byte of bytes) {
        if (isInString) {
          if (isEscaped) isEscaped = false;
          else if (byte === BACKSLASH) isEscaped = true;
          else if (byte === QUOTE) isInString = false;
        } else if (byte === QUOTE) {
          isInString = true;
        } else if (OPENING.includes(byte)) {
          depth += 1;
          if (depth === 1) continue;
        } else if (CLOSING.includes(byte)) {
          depth -= 1;
          if (depth === 0) endMember();
        } else if (depth === 1 && byte === COLON) {
          key = endToken();
          continue;
        } else if (depth === 1 && byte === COMMA) {
          endMember();
          continue;
        }
        if (depth === 1 && token.length <= MAX_MEMBER_BYTES) token.push(byte);
      }
    },
    envelope: () => ({
      id: typeof id === "string" || Number.isSafeInteger(id) ? (id as string | number) : undefined,
      isRequest,
    }),
  };
}

function parsed(text: string): unknown {
  return attempt(() => JSON.parse(text));
}
