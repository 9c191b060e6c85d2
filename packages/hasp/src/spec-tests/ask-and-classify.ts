import type { classifierOf, Classified } from "./classify.js";
import type { HandlerFunctions } from "./handler-function.js";

/** The answer of a decision table whose conditions may be functions of the handler. */
export interface AskedAndClassified extends Classified {
  /** A condition that never answered, and what it did instead. */
  readonly lapse?: string;
}

/**
 * Classifies an input, and asks the functions of the handler that the table comes to. The runtime asks them at once, on
 * its way; here they answer later. So a walk over the table that lacks an answer is begun anew once the answer is
 * there. A function that throws is left unanswered, which is what its error means to the runtime.
 */
export async function askAndClassify(
  classify: ReturnType<typeof classifierOf>,
  input: unknown,
  functions: HandlerFunctions,
): Promise<AskedAndClassified> {
  const answers = new Map<string, boolean>();
  const asked = new Set<string>();
  const absent: string[] = [];
  for (;;) {
    const { answer, unknown } = classify(input, answers);
    const wanted = unknown.filter((name) => !asked.has(name));
    if (wanted.length === 0) return { answer, unknown: absent };
    for (const name of wanted) {
      asked.add(name);
      const reply = await functions(name)?.({ as: "condition", input });
      if (reply === undefined) absent.push(name);
      else if (reply.kind === "lapsed") return { answer, unknown: absent, lapse: `${name} ${reply.reason}` };
      else if (reply.kind === "answered") answers.set(name, reply.isTrue);
    }
  }
}
