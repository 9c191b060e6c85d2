import { fork } from "node:child_process";
import type { Answers, BuildQuestions } from "@hasp/compiler/verify";
import { locateOwnFile } from "../../installation/own-package.js";

/** Thrown if the process that runs generated modules gives no answer. */
export class VerifierError extends Error {
  override readonly name = "VerifierError";
}

/** The limit for the modules of a whole build; 3000 tools take ten seconds. */
const SECONDS = 120;

interface VerifierOptions {
  readonly seconds?: number;
  readonly program?: string;
}

/** Asks about a build's modules in a separate process. Rejects with {@link VerifierError} if it hangs or dies. */
export async function askVerifier(
  questions: BuildQuestions,
  { seconds = SECONDS, program = locateOwnFile("dist/modules/emitted/verifier-child.js") }: VerifierOptions = {},
): Promise<Answers> {
  const child = fork(program, [], {
    execArgv: [
      ...process.execArgv.filter((option) => !option.startsWith("--inspect")),
      "--disallow-code-generation-from-strings",
    ],
    serialization: "advanced",
    // Standard output is for findings.
    stdio: ["ignore", 2, 2, "ipc"],
  });
  return new Promise<Answers>((resolve, reject) => {
    const lapse = (words: string): void => reject(new VerifierError(words));
    const timer = setTimeout(() => lapse(`did not answer within ${seconds} seconds`), seconds * 1000);
    const settle =
      <Value>(then: (value: Value) => void) =>
      (value: Value): void => {
        clearTimeout(timer);
        then(value);
      };
    child.once(
      "message",
      settle((answers) => resolve(answers as Answers)),
    );
    child.once(
      "error",
      settle(({ message }: Error) => lapse(`could not be started (${message})`)),
    );
    child.once("exit", (code, signal) => settle(lapse)(`ended (${signal ?? code})`));
    child.send(questions, (error) => error !== null && settle(lapse)(`could not be asked (${error.message})`));
  }).finally(() => child.kill("SIGKILL"));
}
