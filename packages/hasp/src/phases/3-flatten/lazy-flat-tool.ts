import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import type { FlatSchema, FlatTool, ToolModel } from "../../model/tool.js";

/** A flat tool without its schemas and conditions, as plain data. */
export interface FlatFacts extends Pick<FlatTool, "relaxations" | "customFunctions" | "worstCase"> {
  readonly hasOutput: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** A tool whose schemas and conditions are computed on first access. */
export class LazyFlatTool implements FlatTool {
  readonly name: string;
  readonly document: FlatTool["document"];
  readonly pointer: string;
  readonly spec: FlatTool["spec"];
  readonly metadata: FlatTool["metadata"];
  readonly stated: FlatTool["stated"];
  readonly facts: FlatTool["facts"];
  readonly locate: FlatTool["locate"];
  readonly relaxations: FlatTool["relaxations"];
  readonly customFunctions: FlatTool["customFunctions"];
  readonly worstCase: FlatTool["worstCase"];
  declare readonly output?: FlatSchema;
  readonly #flat: () => FlatTool | undefined;

  constructor(
    { name, document, pointer, spec, metadata, stated, facts, locate }: ToolModel,
    { hasOutput, relaxations, customFunctions, worstCase }: FlatFacts,
    flat: () => FlatTool | undefined,
  ) {
    this.name = name;
    this.document = document;
    this.pointer = pointer;
    this.spec = spec;
    this.metadata = metadata;
    this.stated = stated;
    this.facts = facts;
    this.locate = locate;
    this.relaxations = relaxations;
    this.customFunctions = customFunctions;
    this.worstCase = worstCase;
    this.#flat = flat;
    // A tool without an output has no such property.
    if (hasOutput) Object.defineProperty(this, "output", { enumerable: true, get: () => this.#whole().output });
  }

  get input(): FlatSchema {
    return this.#whole().input;
  }

  get bound(): FlatTool["bound"] {
    return this.#whole().bound;
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
    const flat = this.#flat();
    if (flat === undefined) throw new Error(`${this.name} flattened before but does not flatten now.`);
    return flat;
  }
}
