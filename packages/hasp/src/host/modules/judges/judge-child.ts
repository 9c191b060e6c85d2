// A process of its own: functions of the user's may loop or end their process, and their time is limited from outside.
import { Worker } from "node:worker_threads";
import { own } from "../../../model/own.js";
import { askFunction, type Answer, type Question } from "../../../spec-tests/handler-function.js";
import { loadContext, type LoadedContext } from "../load-context.js";
import { loadHandler } from "../load-handler.js";
import type { ExportPlace, JudgeReplies, JudgeReply, JudgeRequest, ModuleExports } from "./messages.js";

const modules = new Map<string, Readonly<Record<string, unknown>>>();
let common: LoadedContext | undefined;

async function load(file: string): Promise<ModuleExports> {
  const loaded = await loadHandler(file);
  if ("reason" in loaded) return loaded;
  modules.set(file, loaded.exports);
  return {
    exports: Object.fromEntries(
      Object.entries(loaded.exports).map(([name, value]) => [name, value === null ? "null" : typeof value]),
    ),
  };
}

async function makeContext({ file, name }: ExportPlace): Promise<JudgeReplies["make-context"]> {
  const made = await loadContext(file, name);
  if ("fault" in made) {
    return {
      reason: made.fault === "missing" ? "it exports neither a context nor a function that gives one" : made.reason,
    };
  }
  const { context } = made;
  if (typeof context !== "object" || context === null) return { reason: "it gives no object" };
  common = made;
  return {};
}

async function ask({ file, name }: ExportPlace, question: Question): Promise<Answer> {
  const judge = own(modules.get(file), name);
  if (typeof judge !== "function") return { kind: "threw", reason: "there is no such function" };
  return askFunction(
    (...parameters) => Reflect.apply(judge, undefined, parameters),
    question,
    common?.context as object | undefined,
  );
}

async function close(): Promise<JudgeReplies["close"]> {
  const reason = await common?.close();
  return reason === undefined ? {} : { reason };
}

function replyTo(request: JudgeRequest): Promise<JudgeReply> {
  switch (request.kind) {
    case "load":
      return load(request.file);
    case "make-context":
      return makeContext(request.place);
    case "ask":
      return ask(request.place, request.question);
    case "close":
      return close();
  }
}

process.on("message", (request: JudgeRequest) => {
  void replyTo(request).then((reply) => process.send?.(reply));
});
// Nobody is left to be answered.
process.once("disconnect", () => process.exit());
// A loop does not even hear that; a thread of its own sees that the parent has gone.
const watch = `const { ppid } = process;
setInterval(() => process.ppid !== ppid && process.kill(process.pid, "SIGKILL"), 500);`;
new Worker(watch, { eval: true }).unref();
