import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "../node_modules/vscode-languageserver-protocol/lib/node/main.js";
import { printTable } from "./measure.js";
import { makeProject } from "./project.js";

const hasp = resolve(import.meta.dirname, "../../packages/hasp/bin/hasp.js");
const KEYSTROKES = 60;
/** The first keystrokes warm the process up, as those of its first minute do. */
const WARM_UP = 10;

/** `hasp lsp` at 1000 tools: its start, without a cache and with one, and the time from a keystroke to the findings. */
export default async function run() {
  const project = makeProject(1000);
  const first = await session(project);
  const again = await session(project);
  const at = (share, times) => times.toSorted((a, b) => a - b)[Math.floor(times.length * share)].toFixed(0);
  const whole = ({ ms, cpu, mb }) => [ms, cpu, mb].map((each) => each.toFixed(0));
  printTable(
    "hasp lsp, 1000 generated tools",
    ["", "ms", "CPU ms", "MB", "mark"],
    [
      ["first start: answer to initialize", ...whole(first.answer), ""],
      ["first start: findings", ...whole(first.start), "1500 ms, 300 MB"],
      ["first start: after the keystrokes", "", "", first.mb.toFixed(0), "300 MB"],
      ["later start: answer to initialize", ...whole(again.answer), ""],
      ["later start: findings", ...whole(again.start), "1500 ms, 300 MB"],
      ["keystroke, median", at(0.5, again.times), at(0.5, again.cpu), again.mb.toFixed(0), "100 ms, 300 MB"],
      ["keystroke, 95 of 100", at(0.95, again.times), at(0.95, again.cpu), "", "200 ms"],
    ],
  );
}

/** Starts the server, types into one spec, and ends it. */
async function session({ folder, env }) {
  const { CI: _ci, ...inherited } = process.env;
  const started = performance.now();
  const child = spawn(process.execPath, [hasp, "lsp", "--stdio"], {
    cwd: folder,
    env: { ...inherited, ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  let onFindings = () => undefined;
  connection.onNotification("textDocument/publishDiagnostics", (shown) => onFindings(shown));
  connection.listen();
  const findingsOf = (uri) => new Promise((done) => (onFindings = (shown) => shown.uri === uri && done()));
  const now = () => ({ ms: performance.now() - started, ...usage(child.pid) });

  const name = readdirSync(join(folder, "specs")).find((each) => each.endsWith(".tool.yaml"));
  const uri = pathToFileURL(join(folder, "specs", name)).href;
  const shown = findingsOf(uri);
  await connection.sendRequest("initialize", {
    processId: null,
    rootUri: null,
    capabilities: {},
    workspaceFolders: [{ uri: pathToFileURL(folder).href, name }],
  });
  const answer = now();
  await shown;
  const start = now();
  const text = readFileSync(join(folder, "specs", name), "utf8");
  await connection.sendNotification("textDocument/didOpen", {
    textDocument: { uri, languageId: "yaml", version: 1, text },
  });
  await connection.sendRequest("textDocument/codeLens", { textDocument: { uri } });

  const line = text.split("\n").findIndex((each) => each.startsWith("name:"));
  const times = [];
  const cpu = [];
  for (let count = 0; count < KEYSTROKES; count += 1) {
    // A key that no spec has comes and goes.
    const range = { start: { line, character: 0 }, end: { line: line + (count % 2), character: 0 } };
    const change = { range, text: count % 2 === 0 ? "nmae: x\n" : "" };
    const before = now();
    const seen = findingsOf(uri);
    await connection.sendNotification("textDocument/didChange", {
      textDocument: { uri, version: count + 2 },
      contentChanges: [change],
    });
    await seen;
    const after = now();
    if (count >= WARM_UP) {
      times.push(after.ms - before.ms);
      cpu.push(after.cpu - before.cpu);
    }
    await wait(30);
  }
  const { mb } = usage(child.pid);
  await connection.sendRequest("shutdown");
  await connection.sendNotification("exit");
  connection.dispose();
  return { answer, start, times, cpu, mb };
}

/** CPU milliseconds and megabytes of a process so far; Linux only. */
function usage(pid) {
  try {
    const [, user, system] = /^(?:\S+ ){13}(\d+) (\d+)/u.exec(
      readFileSync(`/proc/${pid}/stat`, "utf8").replace(/\(.*\)/u, "x"),
    );
    const [, kilobytes] = /VmRSS:\s+(\d+)/u.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    return { cpu: (Number(user) + Number(system)) * 10, mb: Number(kilobytes) / 1024 };
  } catch {
    return { cpu: Number.NaN, mb: Number.NaN };
  }
}
