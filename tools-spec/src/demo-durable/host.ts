// A host process of the durable demo. It owns nothing: it reads all that it knows of a turn from the call store.
import { createPrograms } from "@hasp/programs";
import { buildTool, createDispatcher } from "@hasp/runtime";
import type { CallStore } from "@hasp/runtime/call-store";
import { durableCalls } from "@hasp/stores";
import { fileCallStore } from "@hasp/stores/files";
import { postgresCallStore } from "@hasp/stores/postgres";
import { Pool } from "pg";
import { createContext } from "../context.js";
import { registry } from "../generated/registry.js";
import type { Answer, Request } from "./messages.js";
import { openPage } from "./page.js";

const [where = ""] = process.argv.slice(2);
const callStore = openStore(where);
const context = await createContext();
const chooseDate = buildTool({
  name: "choose_date",
  description: "Shows a calendar to the person, and returns the day that they choose.",
  input: { type: "object", required: ["title"], properties: { title: { type: "string" } } },
  output: { type: "string", format: "date" },
  behavior: { requiresPermission: false, isDestructive: false, isOpenWorld: false },
  external: true,
});
const durable = durableCalls<typeof context>({ store: callStore, leaseSeconds: 1 });
const dispatcher = createDispatcher({
  tools: [...registry.pick(["read_file", "run_shell"]).tools, chooseDate],
  extensions: [createPrograms(), durable],
});
const turns = dispatcher.use(durable);

process.on("message", (request: Request) => {
  void answer(request).then((given) => process.send?.(given satisfies Answer));
});

async function answer(request: Request): Promise<Answer> {
  switch (request.type) {
    case "run":
      return {
        outcome: await turns.run(request.calls, { turnId: request.turnId, conversation: request.turnId, context }),
      };
    case "resume":
      return { outcome: await turns.resume(request.turnId, { context }) };
    case "answer":
      return { accepted: await turns.answer(request.questionId, request.answer) };
    case "page":
      return { url: await openPage(turns.complete, () => turns.resume(request.turnId, { context })) };
    case "pending":
      return { questions: await callStore.questions({ isOpen: true }) };
  }
}

function openStore(place: string): CallStore {
  return place.startsWith("postgres://")
    ? postgresCallStore(new Pool({ connectionString: place, max: 4 }))
    : fileCallStore(place);
}
