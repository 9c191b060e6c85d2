// Replays the recorded calls of a folder in a process that may neither connect nor start anything, and counts what was
// tried. Run by `recordAll` of calls.js.
import { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { replayTape } from "@hasp/testing";
import { createRecorder } from "./calls.js";

const tried = { connections: 0, processes: 0 };
Socket.prototype.connect = () => {
  tried.connections += 1;
  throw new Error("nothing may connect");
};
ChildProcess.prototype.spawn = () => {
  tried.processes += 1;
  throw new Error("nothing may start");
};
const [folder = ""] = process.argv.slice(2);
const { tools, calls, results } = JSON.parse(readFileSync(join(folder, "calls.json"), "utf8"));
const tape = replayTape(join(folder, "tape.jsonl"));
const dispatcher = await createRecorder(
  folder,
  tools.map((name) => ({ name })),
  tape,
);
let equal = 0;
for (const [index, call] of calls.entries()) {
  const [result] = await dispatcher.dispatch([call]);
  if (JSON.stringify(result) === results[index]) equal += 1;
  else process.stderr.write(`${JSON.stringify(result).slice(0, 300)}\n${results[index].slice(0, 300)}\n`);
}
process.stdout.write(JSON.stringify({ equal, handlers: globalThis.loadedHandlers ?? 0, ...tried }));
