import { fork, type ChildProcess } from "node:child_process";
import { pathToFileURL } from "node:url";
import type { FunctionAnswer, FunctionQuestion } from "@hasp/compiler/spec-tests";
import { locateOwnFile } from "../../installation/own-package.js";
import type { ExportReference, HandlerReplies, HandlerRequest, ModuleExports } from "./messages.js";

/** Longer than the child's own limits for imports and contexts: it reports a timeout if it still can. */
const SECONDS_TO_LOAD = 15;
const SECONDS_TO_MAKE = 65;
const SECONDS_TO_CLOSE = 7;

/** The reason for no answer, such as "did not answer within 10 seconds". */
interface Lapse {
  readonly lapse: string;
}

/**
 * The process of handler functions. It starts with the first request, and again after it had to be killed. Requests are
 * sent one at a time. The output of the functions goes to standard error.
 */
export class HandlerProcess {
  readonly #seconds: number;
  #child: ChildProcess | undefined;
  readonly #files = new Set<string>();
  #context: ExportReference | undefined;

  constructor(seconds: number) {
    this.#seconds = seconds;
  }

  async load(file: string): Promise<ModuleExports> {
    const reply = await this.#request({ kind: "load", file }, SECONDS_TO_LOAD);
    if ("lapse" in reply) return { reason: `it ${reply.lapse}` };
    if ("exports" in reply) this.#files.add(file);
    return reply;
  }

  async makeContext(reference: ExportReference): Promise<string | undefined> {
    const reply = await this.#request({ kind: "make-context", reference }, SECONDS_TO_MAKE);
    if ("lapse" in reply) return `it ${reply.lapse}`;
    if (reply.reason === undefined) this.#context = reference;
    return reply.reason;
  }

  async ask(reference: ExportReference, question: FunctionQuestion): Promise<FunctionAnswer> {
    const reply = await this.#request({ kind: "ask", reference, question }, this.#seconds);
    return "lapse" in reply ? { kind: "lapsed", reason: reply.lapse } : reply;
  }

  async close(): Promise<string | undefined> {
    if (this.#child === undefined) return undefined;
    const reply = await this.#request({ kind: "close" }, SECONDS_TO_CLOSE);
    this.#end();
    return "lapse" in reply ? `it ${reply.lapse}` : reply.reason;
  }

  async #request<Request extends HandlerRequest>(
    request: Request,
    seconds: number,
  ): Promise<HandlerReplies[Request["kind"]] | Lapse> {
    if (this.#child === undefined) {
      this.#child = this.#start();
      for (const file of this.#files) await this.#exchange(this.#child, { kind: "load", file }, SECONDS_TO_LOAD);
      if (this.#context !== undefined) {
        await this.#exchange(this.#child, { kind: "make-context", reference: this.#context }, SECONDS_TO_MAKE);
      }
    }
    return this.#exchange(this.#child, request, seconds);
  }

  /** Sends one request and waits for its reply. Kills a process that does not reply in time. */
  #exchange<Request extends HandlerRequest>(
    child: ChildProcess,
    request: Request,
    seconds: number,
  ): Promise<HandlerReplies[Request["kind"]] | Lapse> {
    return new Promise((resolve) => {
      const finish = (reply: HandlerReplies[Request["kind"]] | Lapse): void => {
        clearTimeout(timer);
        child.off("message", onMessage).off("error", onError).off("exit", onExit);
        resolve(reply);
      };
      const giveUp = (lapse: string): void => {
        if (this.#child === child) this.#end();
        finish({ lapse });
      };
      const onMessage = (reply: unknown): void => finish(reply as HandlerReplies[Request["kind"]]);
      const onError = ({ message }: Error): void => giveUp(`could not be called (${message})`);
      const onExit = (code: number | null, signal: string | null): void =>
        giveUp(`ended its process (${signal ?? code})`);
      const timer = setTimeout(
        () => giveUp(`did not answer within ${seconds} ${seconds === 1 ? "second" : "seconds"}`),
        seconds * 1000,
      );
      child.on("message", onMessage).on("error", onError).on("exit", onExit);
      child.send(request, (error) => error !== null && onError(error));
    });
  }

  #start(): ChildProcess {
    const child = fork(locateOwnFile("dist/modules/handlers/handler-child.js"), [], {
      execArgv: process.execArgv.filter((option) => !option.startsWith("--inspect")),
      serialization: "advanced",
      // Standard output is for findings.
      stdio: ["ignore", 2, 2, "ipc"],
    });
    // The process may end between two requests, for example because of an error in a timer.
    child.once("exit", () => {
      if (this.#child === child) this.#child = undefined;
    });
    return child;
  }

  #end(): void {
    this.#child?.kill("SIGKILL");
    this.#child = undefined;
  }
}

/** Lets isolated handlers be imported in their processes as they are here: TypeScript through jiti. */
export function offerImporter(): void {
  const importer = pathToFileURL(locateOwnFile("dist/modules/handlers/handler-importer.js"));
  process.env["HASP_HANDLER_IMPORTER"] = importer.href;
}
