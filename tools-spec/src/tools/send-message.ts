import { NotExecuted } from "@hasp/runtime";
import { createTransport } from "nodemailer";
import type { SendMessageHandler } from "../generated/tools/send-message.js";

/** Delivers one message to the server in SMTP_URL. Sent messages cannot be recalled. */
export const execute: SendMessageHandler["execute"] = async ({ to, subject, body, headers }, { signal }) => {
  const server = process.env["SMTP_URL"];
  if (server === undefined) throw new NotExecuted("SMTP_URL is not set: there is no server to send through");
  const transport = createTransport(server);
  try {
    signal.throwIfAborted();
    const sent = await transport.sendMail({
      from: "agent@example.com",
      to: [...to],
      subject,
      text: body,
      headers: { ...headers },
    });
    return { messageId: sent.messageId, accepted: sent.accepted.map(String) };
  } catch (error) {
    if (isBeforeMessage(error)) throw new NotExecuted(error.message, { cause: error });
    throw error;
  } finally {
    transport.close();
  }
};

const stagesBeforeMessage: ReadonlySet<unknown> = new Set(["EDNS", "ETLS", "EAUTH", "EENVELOPE"]);

/** True if an error came before the message itself was sent. Later, a lost connection leaves the outcome open. */
function isBeforeMessage(error: unknown): error is Error {
  const { code, syscall } = Object(error) as { readonly code?: unknown; readonly syscall?: unknown };
  return error instanceof Error && (stagesBeforeMessage.has(code) || syscall === "connect");
}
