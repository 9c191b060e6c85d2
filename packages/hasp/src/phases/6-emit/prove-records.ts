import type { JsonObject, JsonValue } from "@hasp/schema";
import { digestOfText } from "../../emitters/digest.js";
import type { EmitModel } from "../../emitters/emitter.js";
import type { OutputFile } from "../../model/output.js";
import { isSameJson } from "../../typescript/same-json.js";
import { fromDocumentUri } from "../2-resolve/document-uri.js";
import { fault } from "./fault.js";
import { proveFacts } from "./prove-facts.js";

/** `losses.json` holds every loss of every list and every tool that was left out, and no others. */
export function proveLosses({ toolsets, layout }: EmitModel, written: JsonValue): void {
  const expected = new Map<string, JsonValue>();
  for (const { dialect, tools, excluded } of toolsets.flatMap(({ lists }) => lists)) {
    expected.set(dialect, ["losses", "excluded"]);
    for (const { tool, lowering } of tools) {
      for (const [index, { pointer, keyword, direction, enforcedBy, words, witness, origin }] of lowering.losses.entries()) {
        const from = `${fromDocumentUri(origin.uri)}#${origin.pointer}`;
        const stated = Object.entries({ pointer, keyword, direction, enforcedBy, words, witness, from }).filter(([, value]) => value !== undefined);
        expected.set(`${dialect} losses ${tool.name} ${index}`, Object.fromEntries(stated) as JsonObject);
      }
    }
    for (const { tool, reason } of excluded) expected.set(`${dialect} excluded ${tool.name}`, reason);
  }
  const said = new Map<string, JsonValue>();
  for (const [dialect, entry] of Object.entries(written as LossReport)) {
    const { losses, excluded } = entry;
    said.set(dialect, Object.keys(entry));
    for (const [tool, found] of Object.entries(losses ?? {})) for (const [index, loss] of found.entries()) said.set(`${dialect} losses ${tool} ${index}`, loss);
    for (const [tool, reason] of Object.entries(excluded ?? {})) said.set(`${dialect} excluded ${tool}`, reason);
  }
  const isSame = said.size === expected.size && [...expected].every(([key, value]) => isSameJson(said.get(key) ?? null, value));
  if (!isSame) fault(layout.losses, "it tells of other losses than the lists have");
}

/** The form of `losses.json`. */
interface LossReport {
  readonly [dialect: string]: { readonly losses?: { readonly [tool: string]: readonly JsonObject[] }; readonly excluded?: { readonly [tool: string]: string } };
}

/** What the manifest says of behaviour, approval and lists. Names of files and owners are for readers, and proved by nobody. */
export function proveManifest({ tools, toolsets, layout, plan, documents }: EmitModel, written: JsonValue): void {
  const path = layout.manifest;
  const manifest = written as unknown as Manifest;
  const expectSame = (what: string, value: unknown, expected: unknown): void => {
    if (!isSameJson((value ?? null) as JsonValue, (expected ?? null) as JsonValue)) fault(path, `${what} is not what was built`);
  };
  expectSame("the form", manifest.hasp, 1);
  expectSame("whether it is unlocked", manifest.unlocked, plan.unlocked ? true : undefined);
  const lists = toolsets.map((toolset) => [toolset.name, Object.fromEntries(toolset.lists.map((list) => [list.dialect, list.tools.map(({ tool }) => tool.name)]))]);
  expectSame("what the toolsets list", manifest.toolsets, Object.fromEntries(lists));
  expectSame("which tools there are", Object.keys(manifest.tools ?? {}), tools.map(({ name }) => name));
  for (const tool of tools) {
    const entry = manifest.tools?.[tool.name];
    proveFacts(tool, entry?.metadata, path);
    expectSame(`the worst case of ${tool.name}`, entry?.worstCase, tool.worstCase);
    expectSame(`the list of what ${tool.name} relaxes`, entry?.relaxations, tool.relaxations.map(({ claim }) => claim));
  }
  const read = documents ?? tools.map(({ document }) => document);
  expectSame("what was read", manifest.inputs, Object.fromEntries(read.map(({ uri, text }) => [uri, digestOfText(text)])));
}

/** The manifest's digests are those of the files beside it. For `--check`, where time is taken to digest them again. */
export function proveDigests(files: readonly OutputFile[], path: string): void {
  const { outputs } = JSON.parse(files.find((file) => file.path === path)?.text ?? "{}") as Partial<Manifest>;
  const expected = files.filter((file) => file.owner === "hasp" && file.path !== path).map((file) => [file.path, digestOfText(file.text)]);
  if (!isSameJson(outputs ?? null, Object.fromEntries(expected))) fault(path, "its digests are not those of the files");
}

/** What of `manifest.json` is proved. */
interface Manifest {
  readonly hasp?: number;
  readonly unlocked?: boolean;
  readonly toolsets?: JsonObject;
  readonly tools?: { readonly [name: string]: { readonly metadata?: JsonValue; readonly worstCase?: JsonValue; readonly relaxations?: JsonValue } };
  readonly inputs?: JsonObject;
  readonly outputs?: JsonObject;
}
