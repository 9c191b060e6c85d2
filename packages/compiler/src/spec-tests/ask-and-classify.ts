import type { classifierOf, Classified } from "../run/classify.js";
import type { HandlerFunctions } from "./handler-function.js";

interface AskedAndClassified extends Classified {
  /** The condition that never returned, and its fate. */
  readonly lapse?: string;
}

/**
 * Classifies an input, calling handler functions as the table reaches them. They answer asynchronously here, so the
 * table is evaluated again with each answer. A function that throws stays unanswered, as in the runtime.
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
