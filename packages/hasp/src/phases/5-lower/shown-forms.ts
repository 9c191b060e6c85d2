import { type DialectId, findWitnesses, type LowerResult } from "@hasp/schema";
import type { LoweredTool } from "../../model/lowered.js";
import { once } from "../../model/once.js";
import type { FlatTool } from "../../model/tool.js";
import { hasSlowPattern } from "../../cel/index.js";
import type { ToolOutcome } from "./lower-tool.js";

/** Steps that the search for a witness may take, a loss; a build of a thousand tools pays for each. */
const stepsToWitness = 20;

/**
 * What became of a tool, its losses with values that show them. To be asked once it is settled in which form the tool is
 * sent: what was tried as strict and is sent as loose is shown by nobody.
 */
export function shownOutcomes(outcomes: readonly ToolOutcome[]): readonly ToolOutcome[] {
  const carried = outcomes.filter((outcome) => outcome.kind === "carried");
  const found = withWitnesses(carried.map(({ lowered }) => lowered));
  return outcomes.map((outcome) =>
    outcome.kind === "carried" ? { ...outcome, lowered: found[carried.indexOf(outcome)] ?? outcome.lowered } : outcome,
  );
}

/**
 * One tool in several dialects, its losses with values that show them, which are searched for when somebody asks for a
 * loss. A witness is found by running the patterns, so that none is searched for where one is slow.
 */
function withWitnesses(forms: readonly LoweredTool[]): readonly LoweredTool[] {
  const [first] = forms;
  if (first === undefined) return [];
  const { tool } = first;
  const found = once(() => {
    const isSlow =
      hasSlowPattern(tool.input.schema) || (tool.output !== undefined && hasSlowPattern(tool.output.schema));
    return isSlow
      ? []
      : findWitnesses(
          tool.input.schema,
          forms.map(({ lowering }) => lowering),
          stepsToWitness,
        );
  });
  return forms.map((form, index) => new ShownForm(form, () => found()[index]));
}

/** A form whose losses come with values that show them, once somebody asks for them. A class: there are thousands. */
class ShownForm implements LoweredTool {
  readonly tool: FlatTool;
  readonly dialect: DialectId;
  readonly strict: boolean;
  readonly wireName: string;
  readonly lossCount: number;
  readonly isShown = true;
  readonly #form: LoweredTool;
  readonly #losses: () => LowerResult["losses"] | undefined;
  #lowering: LowerResult | undefined;

  constructor(form: LoweredTool, losses: () => LowerResult["losses"] | undefined) {
    this.tool = form.tool;
    this.dialect = form.dialect;
    this.strict = form.strict;
    this.wireName = form.wireName;
    this.lossCount = form.lossCount;
    this.#form = form;
    this.#losses = losses;
  }

  get definition(): LoweredTool["definition"] {
    return this.#form.definition;
  }

  get hoisted(): LoweredTool["hoisted"] {
    return this.#form.hoisted;
  }

  get output(): LowerResult | undefined {
    return this.#form.output;
  }

  get lowering(): LowerResult {
    return (this.#lowering ??= { ...this.#form.lowering, losses: this.#losses() ?? this.#form.lowering.losses });
  }
}
