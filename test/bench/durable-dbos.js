// What a call costs as a step of DBOS, beside a bare step of the same workflow engine in the same run.
import { DBOS } from "@dbos-inc/dbos-sdk";
import { buildTool } from "@hasp/runtime";
import { dbosTurns } from "@hasp/stores/dbos";
import { median } from "./measure.js";
import { startPostgres } from "../../tools-spec/dist/services/embedded-postgres.js";

const STEPS = 300;
const ROUNDS = 7;

/** The rows of `pnpm bench durable` about DBOS. */
export async function onDbos() {
  const input = { type: "object", properties: { n: { type: "integer" } }, additionalProperties: false };
  const tool = (name, isIdempotent) =>
    buildTool({
      name,
      description: "Does it.",
      input,
      behavior: { requiresPermission: false, isDestructive: false, isIdempotent },
      execute: ({ n }) => step(n),
    });
  // Measured from the first step of a workflow to its last: how it is started and awaited is not a call's cost.
  let [first, last] = [0, 0];
  const step = (n) => {
    last = performance.now();
    if (n === 0) first = last;
    return { n };
  };
  const turns = dbosTurns({ tools: [tool("repeats", "withKey"), tool("runs_once", false)] });
  const timeOf = async (work) => {
    await work();
    return last - first;
  };
  const bare = DBOS.registerWorkflow(
    async (steps) => {
      for (let n = 0; n < steps; n += 1) await DBOS.runStep(async () => step(n), { name: "step" });
    },
    { name: "bare steps" },
  );
  const server = await startPostgres();
  try {
    DBOS.setConfig({ name: "bench", systemDatabaseUrl: server.urls.application, logLevel: "error" });
    await DBOS.launch();
    let turn = 0;
    const calls = async (name) => {
      const turnId = `turn ${(turn += 1)}`;
      const list = Array.from({ length: STEPS }, (_, n) => ({ id: `call_${n}`, name, input: { n } }));
      await turns.start(list, { turnId });
      await turns.results(turnId);
    };
    const measured = { bare: [], repeats: [], once: [] };
    for (let round = 0; round <= ROUNDS; round += 1) {
      const times = {
        bare: await timeOf(async () => (await DBOS.startWorkflow(bare)(STEPS)).getResult()),
        repeats: await timeOf(() => calls("repeats")),
        once: await timeOf(() => calls("runs_once")),
      };
      // The first round warms up.
      if (round > 0) for (const name of Object.keys(measured)) measured[name].push(times[name] / (STEPS - 1));
    }
    const [bareStep, repeats, once] = [measured.bare, measured.repeats, measured.once].map(median);
    const row = (what, time, peer, mark) => [what, us(time), us(peer), `${(time / peer).toFixed(2)} x`, mark];
    return [
      row("dbos: a call that may be repeated, beside a step", repeats, bareStep, "1.3 x"),
      row("dbos: a call that runs only once, beside two", once, 2 * bareStep, "1.3 x"),
    ];
  } finally {
    await DBOS.shutdown();
    await server.stop();
  }
}

function us(milliseconds) {
  return `${(milliseconds * 1000).toFixed(0)} us`;
}
