import { isObject } from "@hasp/base/json";
import type { JsonValue } from "@hasp/schema";
import { callError, Refusal, type CallError } from "../../results/call-errors.js";
import { type Case, reportProblem } from "../state/call-state.js";
import { judge } from "./judge.js";
import { takeInput } from "./parse.js";
import { explainPlace } from "./quoted-secrets.js";

// An input that the model has not written may hold what the model must not read. A fault therefore names the place and
// the keyword, never a value or a name that is not in the schema, and functions of the tool may not choose the words.

/** The functions of a host that give a call another input. */
type InputGiver = "ask" | "check" | "transform";

/** Validates an input that the host gave, and sets it. Throws a `Refusal` that quotes nothing of it. */
export function setGivenInput(about: Case, given: JsonValue, by: InputGiver): void {
  const { engine, call, entry } = about;
  const { tool } = entry;
  const { valid, errors, value } = tool.validateInput(given);
  if (valid && isObject(value)) return takeInput(engine, call, entry, value, given);
  const found = errors.map((error) => explainPlace(error, value, tool));
  const faults = found.length === 0 ? ["It is not an object."] : [...new Set(found)];
  throw refuse(about, by, callError("schema/invalid-input", { tool: call.toolName, faults, isGiven: true }));
}

/** Judges the input that the host gave. Rejects with a `Refusal` that no function of the tool has worded. */
export async function judgeGivenInput(about: Case, by: InputGiver): Promise<void> {
  const { call } = about;
  try {
    await judge(about);
  } catch (error) {
    if (!(error instanceof Refusal) || !error.quotesTool) throw error;
    throw refuse(about, by, replaceWords(call.toolName, error.error), error.error.message);
  }
}

/** Reports to the host why its input is refused. */
function refuse({ engine, call }: Case, by: InputGiver, error: CallError, reason: string = error.message): Refusal {
  const code = by === "transform" ? "hook-failed" : "permission-failed";
  reportProblem(engine, call, code, `The input that \`${by}\` gave is refused: ${reason}`);
  return new Refusal(error);
}

/** Replaces the words of a function of the tool by our own. */
function replaceWords(tool: string, { phase, code }: CallError): CallError {
  switch (`${phase}/${code}`) {
    case "semantic/invalid-input":
      return callError("semantic/invalid-input", {
        tool,
        faults: ["A check of the tool did not hold."],
        isGiven: true,
      });
    case "semantic/check-failed":
      return callError("semantic/check-failed", { tool, reasons: ["A check of the tool failed."] });
    default:
      return callError("permission/denied", { reason: `${tool} refuses this call.` });
  }
}
