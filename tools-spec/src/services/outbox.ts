import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

/** A mail server on this machine that delivers nothing. */
export interface Outbox {
  readonly url: string;
  readonly recipients: readonly string[];
  readonly messages: readonly string[];
  close(): Promise<void>;
}

export async function openOutbox(): Promise<Outbox> {
  const recipients: string[] = [];
  const messages: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, { envelope }, done) {
      let text = "";
      stream.on("data", (chunk: Buffer) => (text += chunk.toString("utf8")));
      stream.on("end", () => {
        recipients.push(...envelope.rcptTo.map(({ address }) => address));
        messages.push(text);
        done();
      });
    },
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    recipients,
    messages,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
