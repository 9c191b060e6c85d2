import type { JsonObject, JsonValue } from "@hasp/schema";
import type { ToolToEmit } from "../../emitters/base/emitter.js";
import { handlerModules } from "../../emitters/handler-modules.js";
import { losses } from "../../emitters/losses.js";
import { providerListJson } from "../../emitters/provider-list-json.js";
import { toolModule } from "../../emitters/tool-module.js";
import { fromDocumentUri } from "../2-resolve/document-uri.js";
import { readModule, type ReadModule } from "../../typescript/read-module.js";
import { declarationOf } from "../../model/handlers/declaration-of.js";
import { isSameJson } from "../../model/same-json.js";
import type { EmittedTool } from "./assemble.js";
import { fault } from "./fault.js";
import { proveEntry } from "./prove-entry.js";
import { proveFacts, proveWorstCase } from "./prove-facts.js";
import { proveHandler } from "./prove-handler.js";
import { type ProofOptions, proveSpec } from "./prove-spec.js";

/**
 * Reads back what was emitted for one tool and compares it with the model: every behavioural field and condition, its
 * spec, list entries, losses and the manifest entry. A difference is a bug in hasp and stops the build.
 */
export function proveTool(emitted: ToolToEmit, { parts, manifest }: EmittedTool, options: ProofOptions): void {
  const { tool, forms, layout } = emitted;
  const { path } = proveModule(emitted, parts, options);
  proveWorstCase(tool, path);
  const entries = record(parts[providerListJson.name]);
  const told = record(parts[losses.name]);
  const listed = forms.filter((form) => form.kind === "listed");
  if (Object.keys(entries).length !== listed.length) {
    fault(path, "the lists have another number of entries than were lowered");
  }
  for (const { dialect, lowered } of listed) {
    const place = `the entry of ${tool.name} in ${layout.providerList("all", dialect, "json")}`;
    proveEntry(lowered, read(entries[dialect], place), place);
  }
  const expected = forms.flatMap((form): readonly (readonly [string, JsonObject])[] => {
    if (form.kind === "excluded") return [[form.dialect, { excluded: form.reason }]];
    const found = form.lowered.lowering.losses.map(
      ({ pointer, keyword, direction, enforcedBy, words, witness, origin }): JsonObject => {
        const from = `${fromDocumentUri(origin.uri)}#${origin.pointer}`;
        const shown = witness === undefined ? {} : { witness };
        return { pointer, keyword, direction, enforcedBy, from, ...(words === undefined ? {} : { words }), ...shown };
      },
    );
    return found.length === 0 ? [] : [[form.dialect, { losses: found }]];
  });
  const said = Object.entries(told).map(([dialect, part]) => [
    dialect,
    Object.fromEntries(Object.entries(record(part)).map(([key, text]) => [key, read(text, layout.losses)])),
  ]);
  if (!isSameJson(Object.fromEntries(said), Object.fromEntries(expected))) {
    fault(layout.losses, `it tells of other losses of ${tool.name} than the lists have`);
  }
  proveManifestEntry(tool, read(manifest, layout.manifest), layout.manifest);
}

/** Proves the fields and the spec in a tool's module. Its schemas are read back by `build --check`. */
export function proveModule(emitted: ToolToEmit, parts: EmittedTool["parts"], options: ProofOptions): ReadModule {
  const { tool, names, layout } = emitted;
  const module = readModule({ path: layout.toolModule(names), text: String(parts[toolModule.name]) });
  proveFacts(tool, module.constant(`${names.camel}Metadata`), module.path);
  proveSpec(emitted, module, options);
  const handler = parts[handlerModules.name];
  const path = layout.declaredHandler(names);
  if (typeof handler === "string") proveHandler(emitted, readModule({ path, text: handler }));
  else if (declarationOf(tool.spec) !== undefined) fault(path, "it was not written");
  return module;
}

/**
 * Proves what the manifest says about a tool's behaviour and approval. Its spec, handler, owner and tags are
 * informational and not proved.
 */
function proveManifestEntry(tool: ToolToEmit["tool"], written: JsonValue, path: string): void {
  const { metadata, worstCase, relaxations } = record(written);
  proveFacts(tool, metadata, path);
  if (!isSameJson(worstCase ?? null, { ...tool.worstCase })) {
    fault(path, `the worst case of ${tool.name} is not what was built`);
  }
  if (
    !isSameJson(
      relaxations ?? null,
      tool.relaxations.map(({ claim }) => claim),
    )
  ) {
    fault(path, `the list of what ${tool.name} relaxes is not what was built`);
  }
}

function read(text: JsonValue | undefined, path: string): JsonValue {
  if (typeof text !== "string") fault(path, "nothing was written");
  return JSON.parse(text) as JsonValue;
}

function record(value: JsonValue | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
