import { hash } from "node:crypto";
import type { LoadedDocument } from "../../model/document.js";
import type { CompileCache } from "../../model/facts.js";
import type { CompilePlan } from "../../model/plan.js";
import type { FactsOfTool } from "./index.js";
import { linkedDocuments } from "./linked-documents.js";

/**
 * Finds the facts of a tool in the cache. The key is a digest of the plan, the spec's text and the texts that it leads
 * to.
 */
export function toolFacts(documents: readonly LoadedDocument[], plan: CompilePlan, cache: CompileCache): FactsOfTool {
  const linked = linkedDocuments(documents);
  const planned = digestOf(planKey(plan));
  const keys = new Map<LoadedDocument, string>();
  const keyOf = (document: LoadedDocument): string => {
    const known = keys.get(document);
    if (known !== undefined) return known;
    const digests = Array.from(linked(document), ([path, each]) => [path, each && digestOfDocument(each)]);
    const parts = JSON.stringify([planned, digests]);
    const key = document.facts.live("key", () => digestOf(parts), parts);
    keys.set(document, key);
    return key;
  };
  return (document, pointer) => cache.factsFor(`${keyOf(document)} ${pointer}`);
}

/** The part of a plan that one tool depends on. The rest is checked for all tools together, in every run. */
function planKey({
  today: _today,
  handlerDigests: _handlerDigests,
  configDigests: _configDigests,
  locations: _locations,
  unlocked: _unlocked,
  exclude: _exclude,
  ...plan
}: CompilePlan): unknown {
  return plan;
}

function digestOfDocument({ facts, role, text }: LoadedDocument): string {
  return facts.live("digest", () => digestOf([role, text]));
}

function digestOf(value: unknown): string {
  return hash("sha256", JSON.stringify(value), "base64url");
}
