import type { Diagnostic, Found } from "../../diagnostics/diagnostic.js";
import type { Kept } from "../../model/memory.js";
import type { FlatSchema, FlatTool, ToolModel } from "../../model/tool.js";

/** What of a flat tool is known without its schemas and conditions. */
interface KeptTool extends Pick<FlatTool, "relaxations" | "customFunctions" | "worstCase"> {
  readonly hasOutput: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** How flat tools are kept from run to run: what only a tool's own parts are made from is made again when asked for. */
export const keptTool: Kept<ToolModel, Found<FlatTool | undefined>> = {
  name: "flat",
  encode({ value, diagnostics }) {
    if (value === undefined) return undefined;
    const { relaxations, customFunctions, worstCase, output } = value;
    const kept: KeptTool = { relaxations, customFunctions, worstCase, hasOutput: output !== undefined, diagnostics };
    return JSON.stringify(kept);
  },
  decode(text, compute, model) {
    const { diagnostics, ...kept } = JSON.parse(text) as KeptTool;
    return { value: new RestoredTool(model, kept, compute), diagnostics };
  },
};

/** A tool whose schemas are made flat, and whose conditions are compiled, once somebody asks for one of them. */
class RestoredTool implements FlatTool {
  readonly name: string;
  readonly document: FlatTool["document"];
  readonly pointer: string;
  readonly metadata: FlatTool["metadata"];
  readonly stated: FlatTool["stated"];
  readonly locate: FlatTool["locate"];
  readonly relaxations: FlatTool["relaxations"];
  readonly customFunctions: FlatTool["customFunctions"];
  readonly worstCase: FlatTool["worstCase"];
  declare readonly output?: FlatSchema;
  readonly #model: ToolModel;
  readonly #compute: () => Found<FlatTool | undefined>;

  constructor(
    model: ToolModel,
    { hasOutput, relaxations, customFunctions, worstCase }: Omit<KeptTool, "diagnostics">,
    compute: () => Found<FlatTool | undefined>,
  ) {
    this.name = model.name;
    this.document = model.document;
    this.pointer = model.pointer;
    this.metadata = model.metadata;
    this.stated = model.stated;
    this.locate = model.locate;
    this.relaxations = relaxations;
    this.customFunctions = customFunctions;
    this.worstCase = worstCase;
    this.#model = model;
    this.#compute = compute;
    // A tool without an output has no such property.
    if (hasOutput) Object.defineProperty(this, "output", { enumerable: true, get: () => this.#whole().output });
  }

  get spec(): FlatTool["spec"] {
    return this.#model.spec;
  }

  get input(): FlatSchema {
    return this.#whole().input;
  }

  get rules(): FlatTool["rules"] {
    return this.#whole().rules;
  }

  get flags(): FlatTool["flags"] {
    return this.#whole().flags;
  }

  get checks(): FlatTool["checks"] {
    return this.#whole().checks;
  }

  #whole(): FlatTool {
    const { value } = this.#compute();
    if (value === undefined) throw new Error(`${this.name} was flat before and is not now.`);
    return value;
  }
}
