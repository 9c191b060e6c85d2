// Runs in a separate process: user functions may loop or exit, so their time is limited from outside.
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { own, isStructured, mapMembers } from "@hasp/base/json";
import { askFunction, type FunctionAnswer, type FunctionQuestion } from "@hasp/builtin/tests";
import { loadContext, type LoadedContext } from "../load-registry.js";
import type { ExportReference, HandlerReplies, HandlerReply, HandlerRequest, ModuleExports } from "./messages.js";
import { printThrown } from "@hasp/base/diagnostics";
import { answerQuestions } from "../../processes/answer-questions.js";
import { watchParent } from "../../processes/child.js";
import { importModule } from "../import-module.js";

const modules = new Map<string, Readonly<Record<string, unknown>>>();
let common: LoadedContext | undefined;

async function load(file: string): Promise<ModuleExports> {
  const loaded = await loadHandler(file);
  if ("reason" in loaded) return loaded;
  modules.set(file, loaded.exports);
  return { exports: mapMembers(loaded.exports, (value) => (value === null ? "null" : typeof value)) };
}

async function makeContext({ file, name }: ExportReference): Promise<HandlerReplies["make-context"]> {
  const made = await loadContext(file, name);
  if ("fault" in made) {
    return {
      reason: made.fault === "missing" ? "it exports neither a context nor a function that creates one" : made.reason,
    };
  }
  const { context } = made;
  if (!isStructured(context)) return { reason: "it does not return an object" };
  common = made;
  return {};
}

async function ask({ file, name }: ExportReference, question: FunctionQuestion): Promise<FunctionAnswer> {
  const candidate = own(modules.get(file), name);
  if (typeof candidate !== "function") return { kind: "threw", reason: "there is no such function" };
  return askFunction(
    (...parameters) => Reflect.apply(candidate, undefined, parameters),
    question,
    common?.context as object | undefined,
  );
}

async function close(): Promise<HandlerReplies["close"]> {
  const reason = await common?.close();
  return reason === undefined ? {} : { reason };
}

function replyTo(request: HandlerRequest): Promise<HandlerReply> {
  switch (request.kind) {
    case "load":
      return load(request.file);
    case "make-context":
      return makeContext(request.reference);
    case "ask":
      return ask(request.reference, request.question);
    case "close":
      return close();
  }
}

answerQuestions(replyTo);
// A function stuck in a loop never sees that its parent is gone.
watchParent();

type LoadedHandler = { readonly exports: Readonly<Record<string, unknown>> } | { readonly reason: string };

/** Imports a handler by the absolute path of its TypeScript file. The user's code runs then. */
async function loadHandler(file: string): Promise<LoadedHandler> {
  if (!existsSync(file)) return { reason: "there is no such file" };
  try {
    const loaded = await importModule(pathToFileURL(file).href);
    return isStructured(loaded) ? { exports: { ...loaded } } : { reason: "it exports nothing" };
  } catch (error) {
    const [reason = "it throws"] = printThrown(error).split("\n");
    return { reason };
  }
}
