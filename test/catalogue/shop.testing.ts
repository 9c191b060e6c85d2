// The project whose catalogue the tests and the documentation show: tools of a shop's support agent.
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasp, project } from "../cli/command-line.js";

/** Texts of an earlier version: refunds asked somebody, one tool was missing, another said less. */
const EARLIER: readonly (readonly [path: string, now: string, before: string])[] = [
  ["specs/refund_order.tool.yaml", "input.amount <= 50.0 && input.reason", "input.amount <= 20.0 && input.reason"],
  ["specs/find_orders.tool.yaml", ", the newest first. Use it", ". Use it"],
  ["specs/cancel_order.tool.yaml", "maxLength: 300", "maxLength: 400"],
  ["specs/get_order.tool.yaml", "name: get_order", "name: read_order"],
];

/** Writes the shop and an earlier version of it into a new folder, and its catalogue. Returns the folder. */
export async function shopCatalogue(): Promise<string> {
  const root = project();
  for (const version of ["now", "before"]) {
    cpSync(join(import.meta.dirname, "shop"), join(root, version), { recursive: true });
  }
  for (const [path, now, before] of EARLIER) {
    const file = join(root, "before", path);
    const text = readFileSync(file, "utf8");
    if (!text.includes(now)) throw new Error(`${path} does not hold: ${now}`);
    writeFileSync(file, text.replace(now, before));
  }
  await hasp(join(root, "now"), ["catalogue", "--out", "../site", "--base", "../before"]);
  return root;
}
