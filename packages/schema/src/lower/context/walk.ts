import type { JsonSchema, SchemaObject } from "../../vocabulary/json-schema.js";
import { childPointer } from "../../json/pointer.js";
import { eachSubschema } from "../../vocabulary/walk-schema.js";

/** A schema object met on a walk, with the way to it. */
export interface Visit {
  readonly node: SchemaObject;
  readonly parent: Visit | undefined;
  readonly keyword: string;
  /** The name or index below the keyword; `undefined` where the keyword holds the schema itself. */
  readonly step: string | undefined;
}

/** Visits every schema object in a schema, outer ones first. */
export function walkSchema(root: JsonSchema, see: (visit: Visit) => void): void {
  if (typeof root !== "object") return;
  const pending: Visit[] = [{ node: root, parent: undefined, keyword: "", step: undefined }];
  for (let visit = pending.pop(); visit !== undefined; visit = pending.pop()) {
    const parent = visit;
    see(parent);
    eachSubschema(parent.node, (node, keyword, step) => {
      if (typeof node === "object") pending.push({ node, parent, keyword, step });
    });
  }
}

/** The JSON Pointer of a place on a walk. */
export function pointerTo(visit: Visit): string {
  const steps: string[] = [];
  for (let place = visit; place.parent !== undefined; place = place.parent) {
    if (place.step !== undefined) steps.push(place.step);
    steps.push(place.keyword);
  }
  return steps.reduceRight(childPointer, "");
}
