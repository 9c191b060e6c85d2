import { readFileSync } from "node:fs";
import { join } from "node:path";
import { page, table } from "./markdown.js";
import { root } from "./root.js";

/** Prints the results of killing processes during durable calls, and the cost of such calls. */
export function durableMeasurementsPage() {
  const { kills, costs } = JSON.parse(readFileSync(join(root, "test/durable/measured.json"), "utf8"));
  return page(
    "# Durable calls, measured",
    "What holds of [durable calls](../durable-calls.md) when processes are killed, and what a stored call costs. This page is printed from " +
      "`test/durable/measured.json`.",
    "## Kills",
    "`node test/durable/kill-proof.js` works through 200 turns in each row. A turn has a write with a key, a write to a table and two calls that " +
      "a person decides; some are denied, and some tools change between question and answer. A service counts the effects by key. Processes are " +
      "killed with SIGKILL: one at each transition of each turn (before the store is asked, while it works, or after it answered), or 500 and " +
      "more at random moments; in the last rows, Postgres is killed as well. Another process takes the place of a killed one. The command exits " +
      "with 1 if any promise was broken; a small version runs with the tests. Measured on a busy machine with two cores; rows of fewer turns " +
      "were stopped early.",
    table(kills.head, kills.rows),
    "*Settled as unknown* counts the calls that may or may not have taken effect: the price of at most once. A kill at each transition hits most " +
      "calls that may run only once in the middle.",
    "## Costs",
    "`pnpm bench durable` measures each store beside the bare operation that it needs: on files, appending 600 bytes and `fsync`; on Postgres, " +
      "one insert and one update, each a transaction. The ratio is the median over pairs, on an idle machine with two cores.",
    table(costs.head, costs.rows),
    "On files, a call that runs alone is flushed once, together with the result of the call before it. A turn of one call is flushed twice: with " +
      "its reservation and with its result. Beyond the disk, a call costs 0.13 ms of processor time, so the faster the disk, the higher the ratio.",
  );
}
