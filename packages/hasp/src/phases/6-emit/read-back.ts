import type { JsonValue } from "@hasp/schema";
import type { EmitModel } from "../../emitters/emitter.js";
import type { OutputFile } from "../../model/output.js";
import { readConstants } from "../../typescript/read-literal.js";
import { fault } from "./fault.js";
import { proveFacts, proveWorstCase } from "./prove-facts.js";
import { proveList } from "./prove-list.js";
import { proveLosses, proveManifest } from "./prove-records.js";

/**
 * Reads back what was emitted and holds it against the model, before a build is called good: every list, every behavioural
 * fact of every tool, the losses and the manifest. A difference is a fault of hasp and stops the build.
 */
export function readBack(model: EmitModel, files: readonly OutputFile[]): void {
  const { toolsets, tools, layout } = model;
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const textOf = (path: string): string => texts.get(path) ?? fault(path, "it was not written");
  const json = (path: string): JsonValue => JSON.parse(textOf(path)) as JsonValue;
  for (const tool of tools) {
    const path = layout.toolModule(tool.name);
    const constant = `${layout.names(tool.name).camel}Metadata`;
    proveFacts(tool, readConstants(textOf(path), (name) => name === constant).get(constant), path);
    proveWorstCase(tool, path);
  }
  for (const { name, lists } of toolsets) {
    for (const list of lists) {
      const path = layout.providerList(name, list.dialect, "json");
      proveList(list, json(path), path);
    }
  }
  proveLosses(model, json(layout.losses));
  proveManifest(model, json(layout.manifest));
}
