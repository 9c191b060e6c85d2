import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildTool, createDispatcher } from "@hasp/runtime";
import { recordTape } from "@hasp/testing";
import { printTable } from "./measure.js";
import { recordAll } from "./openapi/calls.js";
import { callDocuments } from "./openapi.js";
import { temporaryFolder } from "./temporary-folder.js";

/**
 * Records every operation of the documents that are installed here, and replays them without a network; hides secrets;
 * and measures what recording costs. HASP_OPENAPI=github:40,figma limits the documents.
 */
export default async function run() {
  const asked = process.env.HASP_OPENAPI?.split(",") ?? ["star-trek", "train-travel", "petstore", "figma", "github"];
  const rows = [];
  for (const { name, counts, found } of await callDocuments(asked, recordAll)) {
    if (counts === undefined) rows.push([name, "not installed"]);
    else {
      const { carried, calls, equal, handlers, connections, processes, bytes } = found;
      rows.push([
        name,
        ...[carried, calls, equal, handlers, connections, processes, Math.round(bytes / 1024)].map(String),
      ]);
    }
  }
  printTable(
    "recorded once, and replayed in a process that may neither connect nor start anything",
    ["document", "tools", "calls", "equal byte for byte", "handlers loaded", "connections", "processes", "tape, KB"],
    rows,
  );
  const { secrets, found } = await hideSecrets();
  const milliseconds = await costOfRecording();
  printTable(
    "tapes",
    ["", "mark", "measured"],
    [
      [`of ${secrets} secrets on a tape`, "0", String(found)],
      [
        "CPU of recording a call, of a call that waits 20 ms",
        "at most 5 %",
        `${((milliseconds / 20) * 100).toFixed(2)} % (${milliseconds.toFixed(3)} ms)`,
      ],
    ],
  );
}

const UNITS = [..."abcXYZ019 \"'\\/<>&+=%éß漢😀\n\t{}[]:,"];

/** Draws 10,000 secrets and echoes each in outputs, in JSON and in JSON within JSON. */
async function hideSecrets() {
  const file = join(temporaryFolder("hasp-tapes-"), "secrets.jsonl");
  let state = 1;
  const draw = (most) => (state = (state * 48_271) % 2_147_483_647) % most;
  let secrets = 0;
  let found = 0;
  while (secrets < 10_000) {
    const drawn = Array.from({ length: 10 }, (_, index) => {
      const text = Array.from({ length: 6 + draw(12) }, () => UNITS[draw(UNITS.length)]).join("");
      return `§${secrets + index}${text}§`;
    });
    const echo = buildTool({
      name: "echo",
      description: "Echoes.",
      input: { type: "object", properties: { key: { type: "string", writeOnly: true }, note: { type: "string" } } },
      concurrency: { class: "READ_ONLY" },
      behavior: { requiresPermission: false, isOpenWorld: false },
      execute: ({ key, note }) => [key, JSON.stringify({ key }), JSON.stringify([JSON.stringify(key)]), note],
    });
    const dispatcher = createDispatcher({ tools: [echo], extensions: [recordTape(file)] });
    for (const [index, key] of drawn.entries()) {
      const note = `${drawn[(index + 3) % drawn.length]} ${key}`;
      await dispatcher.dispatch([{ id: String(index), name: "echo", input: { key, note } }]);
    }
    const text = readFileSync(file, "utf8");
    for (const each of drawn) {
      const escaped = JSON.stringify(each).slice(1, -1);
      if ([each, escaped, JSON.stringify(escaped).slice(1, -1)].some((form) => text.includes(form))) found += 1;
    }
    secrets += drawn.length;
  }
  return { secrets, found };
}

/** Measures the CPU time that recording adds to a call with a result of 2 KB, in pairs. */
async function costOfRecording() {
  const rows = Array.from({ length: 20 }, (_, index) => ({
    id: index,
    name: "x".repeat(60),
    at: "2030-01-31",
    total: 1.5,
  }));
  const tool = buildTool({
    name: "list_orders",
    description: "Lists orders.",
    input: { type: "object", properties: { customer: { type: "string" }, page: { type: "integer" } } },
    concurrency: { class: "READ_ONLY" },
    behavior: { requiresPermission: false, isOpenWorld: false },
    execute: async () => ({ rows }),
  });
  const folder = temporaryFolder("hasp-tapes-");
  const measure = async (tape) => {
    const dispatcher = createDispatcher({ tools: [tool], extensions: [tape] });
    const before = process.cpuUsage();
    for (let page = 0; page < 2000; page += 1) {
      await dispatcher.dispatch([{ id: "1", name: "list_orders", input: { customer: "c", page } }]);
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 2000 / 1000;
  };
  const differences = [];
  for (let pair = 0; pair < 5; pair += 1) {
    const recorded = await measure(recordTape(join(folder, `${pair}.jsonl`)));
    differences.push(recorded - (await measure(undefined)));
  }
  return differences.toSorted((a, b) => a - b)[2];
}
