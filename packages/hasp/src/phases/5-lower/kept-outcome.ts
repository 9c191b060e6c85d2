import type { DialectId, LowerResult } from "@hasp/schema";
import type { LoweredTool } from "../../model/lowered.js";
import type { Kept } from "../../model/memory.js";
import type { FlatTool } from "../../model/tool.js";
import type { ToolOutcome } from "./lower-tool.js";

/** What of a form is known without lowering anything. */
type KeptForm = Pick<LoweredTool, "dialect" | "strict" | "wireName" | "lossCount" | "isShown">;
type KeptOutcome =
  | Exclude<ToolOutcome, { kind: "carried" }>
  | (Omit<Extract<ToolOutcome, { kind: "carried" }>, "lowered"> & { readonly form: KeptForm });

/** A form of an earlier run: lowered again once somebody asks for more than its list must know. */
class RestoredForm implements LoweredTool {
  readonly tool: FlatTool;
  readonly dialect: DialectId;
  readonly strict: boolean;
  readonly wireName: string;
  readonly lossCount: number;
  readonly isShown: boolean;
  readonly #whole: () => LoweredTool;

  constructor(tool: FlatTool, { dialect, strict, wireName, lossCount, isShown }: KeptForm, whole: () => LoweredTool) {
    this.tool = tool;
    this.dialect = dialect;
    this.strict = strict;
    this.wireName = wireName;
    this.lossCount = lossCount;
    this.isShown = isShown;
    this.#whole = whole;
  }

  get definition(): LoweredTool["definition"] {
    return this.#whole().definition;
  }

  get lowering(): LowerResult {
    return this.#whole().lowering;
  }
}

/**
 * How outcomes are kept from run to run: a tool is lowered again once somebody asks for more than its list must know.
 */
export const keptOutcome: Kept<FlatTool, ToolOutcome> = {
  name: "outcome",
  encode(outcome) {
    if (outcome.kind === "uncarried") return JSON.stringify(outcome satisfies KeptOutcome);
    const { lowered, ...rest } = outcome;
    const { dialect, strict, wireName, lossCount, isShown } = lowered;
    return JSON.stringify({ ...rest, form: { dialect, strict, wireName, lossCount, isShown } } satisfies KeptOutcome);
  },
  decode(text, compute, tool) {
    const kept = JSON.parse(text) as KeptOutcome;
    if (kept.kind === "uncarried") return kept;
    const whole = (): LoweredTool => {
      const outcome = compute();
      if (outcome.kind === "uncarried") throw new Error(`${tool.name} was carried before and is not now.`);
      return outcome.lowered;
    };
    const { form, ...rest } = kept;
    return { ...rest, lowered: new RestoredForm(tool, form, whole) };
  },
};
