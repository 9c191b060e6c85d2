import type { classifierOf, Classified } from "../run/classify.js";
import type { HandlerFunctions } from "./handler-function.js";

/** The result of a decision table whose conditions may be handler functions. */
interface AskedAndClassified extends Classified {
  /** A condition that never returned, and what it did instead. */
  readonly lapse?: string;
}

/**
 * Classifies an input and calls the handler functions that the table reaches. The runtime calls them synchronously;
 * here they answer asynchronously, so the table is evaluated again once a missing answer arrives. A function that
 * throws stays unanswered, which is how the runtime treats its error.
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
