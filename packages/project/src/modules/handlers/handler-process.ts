import type { FunctionAnswer, FunctionQuestion } from "@hasp/builtin/tests";
import { locateOwnFile } from "../../installation/own-package.js";
import { type ChildProgram, describeLapse, startProcess } from "../../processes/child.js";
import type { ExportReference, HandlerReplies, HandlerReply, HandlerRequest, ModuleExports } from "./messages.js";

type HandlerChild = ChildProgram<HandlerRequest, HandlerReply>;

/** Longer than the child's own limits for imports and contexts: it reports a timeout if it still can. */
const SECONDS_TO_LOAD = 15;
const SECONDS_TO_MAKE = 65;
const SECONDS_TO_CLOSE = 7;

/** The reason for no answer, such as "did not answer within 10 seconds". */
interface LapseWords {
  readonly lapse: string;
}

/**
 * The process of handler functions. It starts with the first request, and again after it had to be killed. Requests are
 * sent one at a time. The output of the functions goes to standard error.
 */
export class HandlerProcess {
  readonly #seconds: number;
  #child: HandlerChild | undefined;
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
  ): Promise<HandlerReplies[Request["kind"]] | LapseWords> {
    if (this.#child?.isRunning() !== true) {
      this.#child = startProcess(locateOwnFile("dist/modules/handlers/handler-child.js"));
      for (const file of this.#files) await this.#exchange(this.#child, { kind: "load", file }, SECONDS_TO_LOAD);
      if (this.#context !== undefined) {
        await this.#exchange(this.#child, { kind: "make-context", reference: this.#context }, SECONDS_TO_MAKE);
      }
    }
    return this.#exchange(this.#child, request, seconds);
  }

  async #exchange<Request extends HandlerRequest>(
    child: HandlerChild,
    request: Request,
    seconds: number,
  ): Promise<HandlerReplies[Request["kind"]] | LapseWords> {
    const reply = await child.ask(request, seconds);
    return "answer" in reply
      ? (reply.answer as HandlerReplies[Request["kind"]])
      : { lapse: describeLapse(reply.lapse) };
  }

  #end(): void {
    this.#child?.end("it was closed");
    this.#child = undefined;
  }
}
