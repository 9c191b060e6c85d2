import type { JsonObject, JsonValue } from "@hasp/schema";
import { isObject } from "../../../../compiler/src/model/json-kind.js";
import { objectOf } from "../source/json-values.js";
import { draftDocument, examineInput, obstaclesOfOutput, TOOL_URI, type Obstacle } from "./obstacles.js";
import { remedied, type Remedy } from "./remedies.js";

/** The schemas of a tool as an import would write them. */
export interface Draft {
  readonly input: JsonValue;
  readonly output?: JsonValue | undefined;
}

/** Something that an import changed, so that a build accepts it. */
export interface Change {
  readonly remedy: Remedy;
  /** The tool in whose spec it stands; `undefined` for a shared definition. */
  readonly tool: string | undefined;
  /** JSON Pointer in the spec, or in the file of shared definitions. */
  readonly pointer: string;
}

/** The part of an import that a build accepts. */
interface Buildable {
  readonly drafts: ReadonlyMap<string, Draft>;
  readonly definitions: JsonObject;
  /** The tools whose input accepts anything somewhere, which a reviewer must approve. */
  readonly open: ReadonlySet<string>;
  readonly changes: readonly Change[];
  /** The tools that no build accepts, each with the reason. */
  readonly refused: ReadonlyMap<string, string>;
  /** The tools that have lost their output, each with the reason. */
  readonly withoutOutput: ReadonlyMap<string, string>;
}

/**
 * Changes what an import would write until a build accepts it: loosens what has a remedy, leaves out outputs, refuses
 * tools. Each round takes something away, so that it ends. `file` is the name of the file of shared definitions.
 */
export function makeBuildable(wanted: ReadonlyMap<string, Draft>, shared: JsonObject, file: string): Buildable {
  const drafts = new Map(wanted);
  const refused = new Map<string, string>();
  const withoutOutput = new Map<string, string>();
  const open = new Set<string>();
  const changes: Change[] = [];
  let definitions: JsonObject = { $defs: shared };
  for (let waiting: ReadonlyMap<string, Draft> = drafts; waiting.size > 0;) {
    const changed = new Map<string, Draft>();
    const inShared: Removable[] = [];
    for (const [tool, draft] of waiting) {
      const documents = new Map([
        [TOOL_URI, draftDocument(TOOL_URI, { ...draft, output: draft.output ?? true })],
        [file, draftDocument(file, definitions)],
      ]);
      const { obstacles: ofInput, isOpen } = examineInput(draft.input, documents);
      open[isOpen ? "add" : "delete"](tool);
      const problem = problemIn(ofInput);
      if (problem !== undefined) {
        refused.set(tool, problem);
        drafts.delete(tool);
        continue;
      }
      const ofOutput = draft.output === undefined ? [] : obstaclesOfOutput(draft.output, documents);
      const lost = problemIn(ofOutput);
      if (lost !== undefined) withoutOutput.set(tool, lost);
      const removable = [...ofInput, ...(lost === undefined ? ofOutput : [])].filter((each) => "remedy" in each);
      inShared.push(...removable.filter(({ uri }) => uri === file));
      const { input = draft.input, output } = apply(
        objectOf([
          ["input", draft.input],
          ["output", lost === undefined ? draft.output : undefined],
        ]),
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
  return { drafts, definitions: isObject(kept) ? kept : {}, open, changes, refused, withoutOutput };

  /** Removes obstacles from a value, each once; examples from the last, so that indexes stay. */
  function apply(value: JsonObject, obstacles: readonly Removable[], tool: string | undefined): JsonObject {
    const once = new Map(obstacles.map((each) => [`${each.remedy} ${each.pointer} ${each.detail}`, each]));
    let result: JsonValue = value;
    const fromLast = [...once.values()].toSorted((left, right) => Number(right.detail) - Number(left.detail));
    for (const { pointer, remedy, detail } of fromLast) {
      result = remedied(result, pointer, remedy, detail);
      changes.push({ remedy, tool, pointer });
    }
    return isObject(result) ? result : value;
  }
}

function problemIn(obstacles: readonly Obstacle[]): string | undefined {
  return obstacles.find((obstacle) => "problem" in obstacle)?.problem;
}

type Removable = Extract<Obstacle, { readonly remedy: Remedy }>;
