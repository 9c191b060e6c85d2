import { createTransport } from "nodemailer";
import type { SendMessageHandler } from "../generated/tools/send-message.js";

/** Delivers one message to the server in SMTP_URL. Sent messages cannot be recalled. */
export const execute: SendMessageHandler["execute"] = async ({ to, subject, body, headers }, { signal }) => {
  const server = process.env["SMTP_URL"];
  if (server === undefined) throw new Error("SMTP_URL is not set: there is no server to send through.");
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
  } finally {
    transport.close();
  }
};
