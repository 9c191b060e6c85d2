import type { DialectId, LowerResult } from "@hasp/schema";
import type { LoweredTool } from "../../model/lowered.js";
import type { FlatTool } from "../../model/tool.js";

/** What of a form is known without lowering anything: plain data. */
export type FormFacts = Pick<LoweredTool, "dialect" | "strict" | "wireName" | "lossCount" | "isShown">;

/** A form that is lowered once somebody asks for more than its list must know. */
export class LazyForm implements LoweredTool {
  readonly tool: FlatTool;
  readonly dialect: DialectId;
  readonly strict: boolean;
  readonly wireName: string;
  readonly lossCount: number;
  readonly isShown: boolean;
  readonly #whole: () => LoweredTool;

  constructor(tool: FlatTool, { dialect, strict, wireName, lossCount, isShown }: FormFacts, whole: () => LoweredTool) {
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

  get hoisted(): LoweredTool["hoisted"] {
    return this.#whole().hoisted;
  }

  get lowering(): LowerResult {
    return this.#whole().lowering;
  }

  get output(): LowerResult | undefined {
    return this.#whole().output;
  }
}
