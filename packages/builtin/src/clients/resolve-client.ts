import type { Client, ClientPlan } from "@hasp/compiler/model";
import { own } from "@hasp/base/json";
import { clients } from "./all.js";

/** Finds the facts about a configured client. Throws a `TypeError` for one whose plugin was not loaded. */
export function resolveClient({ id, foreign }: ClientPlan): Client {
  const client = foreign ?? own(clients, id);
  if (client !== undefined) return client;
  throw new TypeError(`No plugin provides the client "${id}". Pass \`plugins\` of \`readProject\` to \`compile\`.`);
}
