import type { JsonValue } from "@hasp/schema";
import type { Diagnostic, Fix, Found } from "@hasp/base/diagnostics";
import type { FormatCheck } from "../../spec/own-schema.js";
import type { SpecFormat } from "../../spec/spec-format.js";
import type { LoadedDocument } from "../../model/document.js";
import { isStructured, isObject, isList, parsePointer, readOwnMember } from "@hasp/base/json";
import { findMovedKey } from "../../spec/moved-keys.js";
import type { ToolSpec } from "../../model/spec-keys.js";
import type { SpecVisibility } from "../../model/tool-spec.js";
import { resolveDiagnostics } from "./diagnostics.js";

export interface LocatedSpec {
  readonly document: LoadedDocument;
  /** `""`, or `/tools/3` in a file with several tools. */
  readonly pointer: string;
  readonly spec: ToolSpec;
  /** JSON Pointers of what was left out because it is faulty: such a spec is only searched for other faults. */
  readonly removed: readonly string[];
}

export function readSpecs(document: LoadedDocument, specFormat: SpecFormat): Found<readonly LocatedSpec[]> {
  const { value, uri } = document;
  if (!isObject(value)) {
    return { value: [], diagnostics: [resolveDiagnostics("not-a-spec", document.locate(""), { uri })] };
  }
  if (!Object.hasOwn(value, "tools")) return readSpec(document, "", value, specFormat.toolFile);
  const tools = value["tools"];
  const specs: LocatedSpec[] = [];
  const diagnostics = [...toDiagnostics(document, "", value, specFormat.toolsFile(value))];
  if (Array.isArray(tools)) {
    if (tools.length === 0) diagnostics.push(resolveDiagnostics("no-tools", document.locate("/tools"), { uri }));
    for (const [index, tool] of tools.entries()) {
      const found = readSpec(document, `/tools/${index}`, tool, specFormat.tool);
      specs.push(...found.value);
      diagnostics.push(...found.diagnostics);
    }
  }
  return { value: specs, diagnostics };
}

function readSpec(
  document: LoadedDocument,
  pointer: string,
  value: JsonValue,
  check: FormatCheck,
): Found<readonly LocatedSpec[]> {
  const problems = check(value);
  if (problems.length === 0) {
    return { value: [{ document, pointer, spec: takeSpec(value), removed: [] }], diagnostics: [] };
  }
  const diagnostics = toDiagnostics(document, pointer, value, problems);
  // Without its faulty parts, a spec can still be searched for other faults.
  const lacksWords = problems.some(
    ({ kind, parameters }) => kind === "missing-key" && parameters["key"] === "description",
  );
  const removed = problems.map(({ pointer: inside }) => (inside === "" && lacksWords ? "/description" : inside));
  const sound = removeParts(value, removed);
  // Nothing else depends on the words.
  const rest = lacksWords && isObject(sound) ? { ...sound, description: "." } : sound;
  const isSpec = rest !== undefined && check(rest).length === 0;
  return {
    value: isSpec ? [{ document, pointer, spec: takeSpec(rest), removed }] : [],
    diagnostics,
  };
}

/** Takes a valid value as a spec. A kind of handlers and a visibility may be one word, and say no more then. */
export function takeSpec(value: JsonValue): ToolSpec {
  const [handler, load] = ["handler", "visibility"].map((key) => readOwnMember(value, key));
  return {
    ...(value as unknown as ToolSpec),
    ...(typeof handler === "string" && { handler: { [handler]: {} } }),
    ...(typeof load === "string" && { visibility: { load } as SpecVisibility }),
  };
}

function toDiagnostics(
  document: LoadedDocument,
  pointer: string,
  value: JsonValue,
  problems: ReturnType<FormatCheck>,
): readonly Diagnostic[] {
  const name = isObject(value) && typeof value["name"] === "string" ? value["name"] : undefined;
  return problems.map(({ kind, pointer: inside, part, parameters, isRepeated }) => {
    const { uri } = document;
    const moved = findMovedKey(value, inside);
    const fix: Fix | undefined = moved?.move
      ? { kind: "move", uri, pointer, from: inside, ...moved.move }
      : isRepeated && { kind: "remove", uri, pointer: pointer + inside };
    const [location, about] = [document.locate(pointer + inside, part), { tool: name, ...(fix && { fix }) }];
    return moved === undefined
      ? resolveDiagnostics(kind, location, parameters, about)
      : resolveDiagnostics("moved-key", location, moved, about);
  });
}

/** Copies a value without the parts at some JSON Pointers; `undefined` if nothing is left. */
export function removeParts(value: JsonValue, pointers: readonly string[]): JsonValue | undefined {
  const copy = structuredClone(value);
  // Remove from the end so that earlier indexes stay valid.
  for (const pointer of pointers.toSorted().toReversed()) {
    const tokens = [...parsePointer(pointer)];
    const last = tokens.pop();
    if (last === undefined) return undefined;
    let holder: unknown = copy;
    for (const token of tokens) {
      holder = isStructured(holder) ? (holder as { [key: string]: unknown })[token] : undefined;
    }
    if (!isStructured(holder)) continue;
    if (isList(holder as JsonValue)) (holder as unknown[]).splice(Number(last), 1);
    else delete (holder as { [key: string]: unknown })[last];
  }
  return copy;
}
