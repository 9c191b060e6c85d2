import { readFreeText } from "@hasp/compiler/model";
import type { JsonObject, JsonSchema, JsonValue } from "@hasp/schema";
import { dropUndefined, once, toObject, isObject } from "@hasp/base/json";
import { findNeededDefinitions } from "./definitions.js";
import { draftDocument, examineInput, examineOutput, TOOL_URI, type BuildObstacle } from "./obstacles.js";
import { applyRemedy, type Remedy } from "./remedies.js";

export interface ToolDraft {
  readonly input: JsonValue;
  readonly output?: JsonValue | undefined;
}

export interface AppliedRemedy {
  readonly remedy: Remedy;
  /** Undefined for a shared definition. */
  readonly tool: string | undefined;
  readonly pointer: string;
}

interface Buildable {
  readonly drafts: ReadonlyMap<string, ToolDraft>;
  readonly definitions: JsonObject;
  /** Tools whose input accepts anything somewhere, which a reviewer must approve. */
  readonly open: ReadonlySet<string>;
  readonly changes: readonly AppliedRemedy[];
  readonly refused: ReadonlyMap<string, string>;
  readonly withoutOutput: ReadonlyMap<string, string>;
}

/**
 * Changes a draft until a build accepts it: applies remedies, leaves out outputs, refuses tools. Terminates because
 * each round takes something away. `file` names the file of shared definitions.
 */
export function makeBuildable(wanted: ReadonlyMap<string, ToolDraft>, shared: JsonObject, file: string): Buildable {
  const drafts = new Map(wanted);
  const refused = new Map<string, string>();
  const withoutOutput = new Map<string, string>();
  const open = new Set<string>();
  const changes: AppliedRemedy[] = [];
  let definitions: JsonObject = { $defs: shared };
  for (let waiting: ReadonlyMap<string, ToolDraft> = drafts; waiting.size > 0;) {
    const sharedDocument = draftDocument(file, definitions);
    const changed = new Map<string, ToolDraft>();
    const inShared: Removable[] = [];
    for (const [tool, draft] of waiting) {
      if (readFreeText(draft.input as JsonSchema) !== undefined) continue;
      const documents = new Map([
        [TOOL_URI, draftDocument(TOOL_URI, { ...draft, output: draft.output ?? true })],
        [file, sharedDocument],
      ]);
      const needed = once(() => findNeededDefinitions([draft.input, draft.output], toObject(definitions["$defs"])));
      const needs = (name: string): boolean => needed().has(name);
      const { obstacles: ofInput, isOpen } = examineInput(draft.input, documents, needs);
      open[isOpen ? "add" : "delete"](tool);
      const problem = problemIn(ofInput);
      if (problem !== undefined) {
        refused.set(tool, problem);
        drafts.delete(tool);
        continue;
      }
      const ofOutput = draft.output === undefined ? [] : examineOutput(draft.output, documents, needs);
      const lost = problemIn(ofOutput);
      if (lost !== undefined) withoutOutput.set(tool, lost);
      const removable = [...ofInput, ...(lost === undefined ? ofOutput : [])].filter((each) => "remedy" in each);
      inShared.push(...removable.filter(({ uri }) => uri === file));
      const { input = draft.input, output } = apply(
        dropUndefined({ input: draft.input, output: lost === undefined ? draft.output : undefined }),
        removable.filter(({ uri }) => uri !== file),
        tool,
      );
      drafts.set(tool, { input, output });
      if (removable.length > 0) changed.set(tool, { input, output });
    }
    definitions = apply(definitions, inShared, undefined);
    waiting = inShared.length === 0 ? changed : new Map(drafts);
  }
  const { $defs: kept } = definitions;
  return { drafts, definitions: toObject(kept), open, changes, refused, withoutOutput };

  /** Removes obstacles, each once; examples from the last, so that earlier indexes stay valid. */
  function apply(value: JsonObject, obstacles: readonly Removable[], tool: string | undefined): JsonObject {
    const once = new Map(obstacles.map((each) => [`${each.remedy} ${each.pointer} ${each.detail}`, each]));
    let result: JsonValue = value;
    const fromLast = [...once.values()].toSorted((left, right) => Number(right.detail) - Number(left.detail));
    for (const { pointer, remedy, detail } of fromLast) {
      result = applyRemedy(result, pointer, remedy, detail);
      changes.push({ remedy, tool, pointer });
    }
    return isObject(result) ? result : value;
  }
}

function problemIn(obstacles: readonly BuildObstacle[]): string | undefined {
  return obstacles.find((obstacle) => "problem" in obstacle)?.problem;
}

type Removable = Extract<BuildObstacle, { readonly remedy: Remedy }>;
