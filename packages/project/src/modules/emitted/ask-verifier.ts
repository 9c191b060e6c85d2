import type { Diagnostic } from "@hasp/base/diagnostics";
import type { Answers, BuildQuestions, BuildToVerify } from "@hasp/builtin/verify";
import type { Plugins } from "@hasp/compiler";
import { locateOwnFile } from "../../installation/own-package.js";
import { askChild, describeLapse } from "../../processes/child.js";

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

/** Verifies that a build agrees with the model. Its modules run in a separate process, see {@link askVerifier}. */
export async function verifyFiles(build: BuildToVerify, plugins: Plugins): Promise<readonly Diagnostic[]> {
  const { verifyBuild } = await import("@hasp/builtin/verify");
  return verifyBuild(build, plugins, askVerifier);
}

/** Asks about a build's modules in a separate process. Rejects with {@link VerifierError} if it hangs or dies. */
export async function askVerifier(
  questions: BuildQuestions,
  { seconds = SECONDS, program = locateOwnFile("dist/modules/emitted/verifier-child.js") }: VerifierOptions = {},
): Promise<Answers> {
  const nodeOptions = ["--disallow-code-generation-from-strings"];
  const reply = await askChild<BuildQuestions, Answers>(program, questions, { seconds, nodeOptions });
  if ("answer" in reply) return reply.answer;
  throw new VerifierError(describeLapse(reply.lapse, { ended: "ended" }));
}
