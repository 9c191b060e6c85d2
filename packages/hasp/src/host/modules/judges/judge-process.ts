import { fork, type ChildProcess } from "node:child_process";
import type { Answer, Question } from "../../../spec-tests/index.js";
import { ownFile } from "../../installation/own-package.js";
import type { ExportPlace, JudgeReplies, JudgeRequest, ModuleExports } from "./messages.js";

/** A module may wait at import, and a context may start a database; the child gives up first, unless it cannot. */
const SECONDS_TO_LOAD = 15;
const SECONDS_TO_MAKE = 65;
const SECONDS_TO_CLOSE = 7;

/** What the process did instead of answering, as "did not answer within 10 seconds". */
interface Lapse {
  readonly lapse: string;
}

/**
 * The process in which functions of handlers run. It is started at the first request, and anew after it had to be
 * ended; requests are made one after the other. What the functions print goes to the standard error stream.
 */
export class JudgeProcess {
  readonly #seconds: number;
  #child: ChildProcess | undefined;
  /** What a new process has to be told first. */
  readonly #files = new Set<string>();
  #context: ExportPlace | undefined;

  /** `seconds` is how long one function may take. */
  constructor(seconds: number) {
    this.#seconds = seconds;
  }

  /** Imports a module, which runs it. */
  async load(file: string): Promise<ModuleExports> {
    const reply = await this.#request({ kind: "load", file }, SECONDS_TO_LOAD);
    if ("lapse" in reply) return { reason: `it ${reply.lapse}` };
    if ("exports" in reply) this.#files.add(file);
    return reply;
  }

  /** Makes the context of checks whose test brings none. Gives the reason if there is none to be had. */
  async makeContext(place: ExportPlace): Promise<string | undefined> {
    const reply = await this.#request({ kind: "make-context", place }, SECONDS_TO_MAKE);
    if ("lapse" in reply) return `it ${reply.lapse}`;
    if (reply.reason === undefined) this.#context = place;
    return reply.reason;
  }

  /** Asks a function of a loaded module. */
  async ask(place: ExportPlace, question: Question): Promise<Answer> {
    const reply = await this.#request({ kind: "ask", place, question }, this.#seconds);
    return "lapse" in reply ? { kind: "lapsed", reason: reply.lapse } : reply;
  }

  /** Puts the context away and ends the process. Gives the reason if the context could not be put away. */
  async close(): Promise<string | undefined> {
    if (this.#child === undefined) return undefined;
    const reply = await this.#request({ kind: "close" }, SECONDS_TO_CLOSE);
    this.#end();
    return "lapse" in reply ? `it ${reply.lapse}` : reply.reason;
  }

  async #request<Request extends JudgeRequest>(
    request: Request,
    seconds: number,
  ): Promise<JudgeReplies[Request["kind"]] | Lapse> {
    if (this.#child === undefined) {
      this.#child = this.#start();
      for (const file of this.#files) await this.#exchange(this.#child, { kind: "load", file }, SECONDS_TO_LOAD);
      if (this.#context !== undefined) {
        await this.#exchange(this.#child, { kind: "make-context", place: this.#context }, SECONDS_TO_MAKE);
      }
    }
    return this.#exchange(this.#child, request, seconds);
  }

  /** Sends one request and waits for its answer; whoever does not answer in time is ended. */
  #exchange<Request extends JudgeRequest>(
    child: ChildProcess,
    request: Request,
    seconds: number,
  ): Promise<JudgeReplies[Request["kind"]] | Lapse> {
    return new Promise((settle) => {
      const finish = (reply: JudgeReplies[Request["kind"]] | Lapse): void => {
        clearTimeout(timer);
        child.off("message", onMessage).off("error", onError).off("exit", onExit);
        settle(reply);
      };
      const giveUp = (lapse: string): void => {
        if (this.#child === child) this.#end();
        finish({ lapse });
      };
      const onMessage = (reply: unknown): void => finish(reply as JudgeReplies[Request["kind"]]);
      const onError = ({ message }: Error): void => giveUp(`could not be asked (${message})`);
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
    const child = fork(ownFile("dist/host/modules/judges/judge-child.js"), [], {
      execArgv: process.execArgv.filter((option) => !option.startsWith("--inspect")),
      serialization: "advanced",
      // Standard output is for findings.
      stdio: ["ignore", 2, 2, "ipc"],
    });
    // It may end between two requests: by an error in a timer, say.
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
