import type { FieldPath } from "@hasp/runtime";
import type { Found, Location } from "../../diagnostics/diagnostic.js";
import type { LoadedDocument } from "../../model/document.js";
import type { Kept } from "../../model/memory.js";
import type { ToolSpec } from "../../model/spec.js";
import type { ToolModel } from "../../model/tool.js";
import { valueAt } from "./schema-places.js";

/** A spec and what it says, before anything beyond its own document is looked at. */
export interface ReadTool {
  readonly tool: ToolModel;
  /** Its claims contradict each other, or are taken over from elsewhere. */
  readonly isFaulty: boolean;
}

/** What of a model is not in the spec itself. */
interface KeptModel extends Pick<ToolModel, "name" | "pointer" | "metadata" | "relaxations"> {
  readonly stated: readonly FieldPath[];
}

/**
 * How the tools of a document are kept from run to run. Documents without fault are kept; the others are read again
 * until they are mended.
 */
export const keptTools: Kept<LoadedDocument, Found<readonly ReadTool[]>> = {
  name: "models",
  isOfFileAlone: true,
  encode({ value, diagnostics }) {
    if (diagnostics.length > 0) return undefined;
    const models = value.map(({ tool: { name, pointer, metadata, relaxations, stated } }): KeptModel => ({
      name,
      pointer,
      metadata,
      relaxations,
      stated: [...stated],
    }));
    return JSON.stringify(models);
  },
  decode(text, _compute, document) {
    const models = JSON.parse(text) as readonly KeptModel[];
    return {
      value: models.map((model) => ({ tool: new RestoredModel(document, model), isFaulty: false })),
      diagnostics: [],
    };
  },
};

/** A model of an earlier run, with the spec as the file still has it. */
class RestoredModel implements ToolModel {
  readonly name: string;
  readonly document: LoadedDocument;
  readonly pointer: string;
  readonly metadata: ToolModel["metadata"];
  readonly stated: ToolModel["stated"];
  readonly relaxations: ToolModel["relaxations"];

  constructor(document: LoadedDocument, { name, pointer, metadata, stated, relaxations }: KeptModel) {
    this.name = name;
    this.document = document;
    this.pointer = pointer;
    this.metadata = metadata;
    this.stated = new Set(stated);
    this.relaxations = relaxations;
  }

  get spec(): ToolSpec {
    // The text is the one that was found to be a spec.
    return valueAt(this.document.value, this.pointer) as unknown as ToolSpec;
  }

  readonly locate = (inside: string, part?: "key" | "value"): Location =>
    this.document.locate(this.pointer + inside, part);
}
