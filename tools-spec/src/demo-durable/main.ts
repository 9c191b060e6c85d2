// Turns that outlive their processes: a question is asked, its process is killed, another one answers and a third goes
// on; then with a page that executes a call, and with two workers on Postgres. A line in payments.txt stands for an
// effect that must happen once.
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ToolCall } from "@hasp/runtime";
import type { RunOutcome } from "@hasp/runtime/call-store";
import { startPostgres } from "../services/embedded-postgres.js";
import { createScreen } from "../demo-screen.js";
import { startHost, type HostProcess } from "./host-process.js";

const screen = createScreen();
const root = await mkdtemp(join(tmpdir(), "hasp-demo-"));
const folder = join(root, "workspace");
const hosts: HostProcess[] = [];
await mkdir(folder);
await writeFile(join(folder, "README.md"), "# Doors\nA hasp is the hinged plate that keeps a door shut.\n");
try {
  await onOneMachine(join(root, "calls"));
  const server = await startPostgres();
  try {
    await onManyMachines(server.urls.application);
  } finally {
    for (const host of hosts) await host.kill();
    await server.stop();
  }
} finally {
  for (const host of hosts) await host.kill();
  await rm(root, { recursive: true, force: true });
}

async function onOneMachine(store: string): Promise<void> {
  screen.heading("Process 1 runs a turn: a reader, then a command that a person must allow");
  const first = start(store);
  show(await first.run("order 7", [read("call_1"), pay("call_2")]));
  await kill(first, "Process 1");

  screen.heading("Process 2 reads from the folder what waits, and answers");
  const second = start(store);
  const [question] = await second.pending();
  if (question === undefined) throw new Error("no question waits");
  screen.line(`  ${question.toolName}, ${question.class}, may destroy data: ${JSON.stringify(question.input)}`);
  for (const [by, decision] of [
    ["ann", "allow"],
    ["eve", "deny"],
  ] as const) {
    const said = await second.answer(question.id, { decision, by });
    screen.line(`  ${by} says ${decision}: ${said.accepted ? "accepted" : `not accepted, ${said.reason}`}`);
  }
  await kill(second, "Process 2");

  screen.heading("Process 3 resumes the turn, and process 4 resumes it once more");
  for (const host of [start(store), start(store)]) show(await host.resume("order 7"));
  await showPayments();

  screen.heading("Process 5 pays and is killed while the command runs; process 6 resumes");
  const fifth = start(store);
  await allowAll(await fifth.run("order 8", [pay("call_1", " && sleep 3"), read("call_2")]), fifth);
  const lost = fifth.resume("order 8").catch(() => undefined);
  await untilPaid(2);
  await kill(fifth, "Process 5");
  await lost;
  const settled = await start(store).resume("order 8");
  show(settled);
  screen.line(`  what the model reads: ${textOf(settled).slice(0, 90)}…`);
  await showPayments();
  await aProgram(store);
  await aPage(store);
}

async function aProgram(store: string): Promise<void> {
  screen.heading("A program pays twice: killed at each question, after an answer, and while it pays");
  const code = `const paid = [(await tools.read_file({ path: "README.md" })).path];
    for (const wait of ["", " && sleep 3"]) {
      try {
        await tools.run_shell({ command: "echo paid >> payments.txt" + wait });
        paid.push("paid");
      } catch ({ code, effect }) { paid.push(code, effect) }
    }
    return paid;`;
  const asking = start(store);
  await asking.run("order 9", [{ id: "call_1", name: "run_program", input: { code } }]);
  await asking.kill();
  const answering = start(store);
  await answerAll(answering);
  await answering.kill();
  const paying = start(store);
  await paying.resume("order 9");
  await paying.kill();
  const running = start(store);
  await answerAll(running);
  const lost = running.resume("order 9").catch(() => undefined);
  await untilPaid(4);
  await running.kill();
  await lost;
  screen.line(`  it returns ${textOf(await start(store).resume("order 9"))}`);
  await showPayments();
}

async function aPage(store: string): Promise<void> {
  screen.heading("A page answers a call whose process was killed");
  const asking = start(store);
  show(await asking.run("trip 1", [{ id: "call_1", name: "choose_date", input: { title: "When do you arrive?" } }]));
  await kill(asking, "Process 1");
  const serving = start(store);
  const url = await serving.page("trip 1");
  const shown = await (await fetch(url)).text();
  const { title, id = "" } = /<label>(?<title>[^<]*) <[\s\S]* value="(?<id>[^"]*)"/u.exec(shown)?.groups ?? {};
  screen.line(`  a browser sees: ${title}`);
  for (const date of ["2030-01-31", "2031-01-31"]) {
    const sent = await fetch(url, { method: "POST", body: new URLSearchParams({ id, date }) });
    screen.line(`  it sends the form: ${sent.status} ${await sent.text()}`);
  }
  await kill(serving, "Process 2, which serves the page,");
  const outcome = await start(store).resume("trip 1");
  show(outcome);
  screen.line(`  the model reads: ${textOf(outcome)}`);
}

async function answerAll(host: HostProcess): Promise<void> {
  for (const { id } of await host.pending()) await host.answer(id, { decision: "allow", by: "ann" });
}

async function onManyMachines(url: string): Promise<void> {
  const turns = ["order 10", "order 11", "order 12", "order 13"];
  screen.heading("Two workers on Postgres: each asks about two orders, the other one takes the answers");
  const [one, two] = [start(url), start(url)];
  const asked = [
    await one.run("order 10", [pay("call_1")]),
    await one.run("order 11", [pay("call_1")]),
    await two.run("order 12", [pay("call_1")]),
    await two.run("order 13", [pay("call_1")]),
  ];
  for (const [index, outcome] of asked.entries()) await allowAll(outcome, index < 2 ? two : one);

  screen.heading("Both workers resume all four orders at the same time");
  const resumeAll = async (host: HostProcess): Promise<readonly string[]> => {
    const lines: string[] = [];
    for (const turn of turns) lines.push(...linesOf(await host.resume(turn)).map((line) => `${turn}, ${line}`));
    return lines;
  };
  const [lines, others] = await Promise.all([resumeAll(one), resumeAll(two)]);
  for (const line of lines) screen.line(`  ${line}`);
  screen.line(`  both workers have the same answers: ${String(lines.join() === others.join())}`);
  await showPayments();

  screen.heading("Worker 1 is killed while one of its commands runs; worker 2 goes on");
  await allowAll(await one.run("order 14", [pay("call_1", " && sleep 3"), read("call_2")]), one);
  const lost = one.resume("order 14").catch(() => undefined);
  await untilPaid(9);
  await kill(one, "Worker 1");
  await lost;
  show(await two.resume("order 14"));
  await showPayments();
}

function start(store: string): HostProcess {
  const host = startHost(folder, store);
  hosts.push(host);
  return host;
}

async function kill(host: HostProcess, name: string): Promise<void> {
  await host.kill();
  screen.line(`  ${name} is killed (SIGKILL).`);
}

async function allowAll(outcome: RunOutcome, host: HostProcess): Promise<void> {
  if (outcome.status !== "waiting") throw new Error("nothing was asked");
  for (const { id, turnId } of outcome.questions) {
    const said = await host.answer(id, { decision: "allow", by: "ann" });
    screen.line(`  ${turnId}: ${said.accepted ? "allowed by ann" : said.reason}`);
  }
}

function show(outcome: RunOutcome): void {
  for (const line of linesOf(outcome)) screen.line(`  ${line}`);
}

function linesOf(outcome: RunOutcome): readonly string[] {
  return [
    ...outcome.results.map(
      ({ callId, toolName, error }) =>
        `${callId} ${toolName}: ${error === undefined ? "ok" : `${error.code} (effect: ${error.effect})`}`,
    ),
    ...(outcome.status === "waiting"
      ? [
          ...outcome.questions.map(({ callId, toolName }) => `${callId} ${toolName}: waits for an answer`),
          ...(outcome.externals ?? []).map(
            ({ callId, toolName }) => `${callId} ${toolName}: waits for somebody who executes it`,
          ),
        ]
      : []),
  ];
}

function textOf({ results }: RunOutcome): string {
  const [block] = results[0]?.content ?? [];
  return block?.type === "text" ? block.text.replaceAll("\n", " ") : "";
}

async function payments(): Promise<number> {
  const text = await readFile(join(folder, "payments.txt"), "utf8").catch(() => "");
  return text.split("\n").length - 1;
}

async function showPayments(): Promise<void> {
  screen.line(`  payments so far: ${await payments()}`);
}

async function untilPaid(count: number): Promise<void> {
  for (const deadline = Date.now() + 20_000; (await payments()) < count; await sleep(20)) {
    if (Date.now() > deadline) throw new Error("the command did not begin to run");
  }
}

function read(id: string): ToolCall {
  return { id, name: "read_file", input: { path: "README.md" } };
}

function pay(id: string, more = ""): ToolCall {
  return { id, name: "run_shell", input: { command: `echo paid >> payments.txt${more}` } };
}
