// The page of the durable demo, which asks a person for a date.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { RunOutcome, StoredTurns } from "@hasp/runtime/call-store";

/** Serves a page that executes the first call that waits in a turn, which `resume` reads. Returns its address. */
export async function openPage(complete: StoredTurns["complete"], resume: () => Promise<RunOutcome>): Promise<string> {
  const server = createServer(async (request, response) => {
    if (request.method === "POST") {
      const form = new URLSearchParams(await text(request));
      const said = await complete(form.get("id") ?? "", { output: form.get("date") ?? "" });
      response.writeHead(said.accepted ? 200 : 409).end(said.accepted ? "Thank you." : said.reason);
      return;
    }
    const outcome = await resume();
    const [call] = outcome.status === "waiting" ? (outcome.externals ?? []) : [];
    const { title = "Nothing waits." } = Object(call?.input) as { readonly title?: string };
    response.end(`<form method="post"><label>${escape(title)} <input type="date" name="date"></label>
<input type="hidden" name="id" value="${escape(call?.id ?? "")}"></form>`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

function escape(given: string): string {
  return given.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
