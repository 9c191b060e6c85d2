import { entailedBy, FAIL_CLOSED_DEFAULTS, FIELD_ENTRIES, isLooser } from "@hasp/runtime";
import { ownMember } from "../../model/own.js";
import type { FlatTool } from "../../model/tool.js";
import { fault } from "./fault.js";

/**
 * Proves that each field in a file has the value that the spec states or its class entails, and otherwise the strict
 * one. Compares with the spec itself, so that faults in the phases between are found as well.
 */
export function proveFacts(tool: FlatTool, written: unknown, path: string): void {
  for (const [group, defaults] of Object.entries(FAIL_CLOSED_DEFAULTS)) {
    const facts = ownMember(written, group);
    for (const [name, strict] of Object.entries(defaults)) {
      const found = ownMember(facts, name);
      const expected = statedIn(tool, group, name) ?? strict;
      if (found !== expected) {
        fault(path, `${group}.${name} is ${JSON.stringify(found)} there, not ${JSON.stringify(expected)}`);
      }
    }
    if (size(facts) !== size(defaults)) {
      fault(path, `it holds facts under "${group}" that the table of defaults does not know`);
    }
  }
  if (size(written) !== size(FAIL_CLOSED_DEFAULTS)) {
    fault(path, "it holds facts that the table of defaults does not know");
  }
}

/** Proves that no static hint of a tool is milder than its fields or a row of its table. */
export function proveWorstCase({ metadata, rules, worstCase }: FlatTool, path: string): void {
  const calls = [{}, ...rules].map((row) => ({ ...metadata.concurrency, ...metadata.behavior, ...row }));
  const isMilder = Object.entries(worstCase).some(([name, hint]) =>
    FIELD_ENTRIES.some(
      (entry) => entry.name === name && calls.some((call) => isLooser(entry.field, hint, ownMember(call, name))),
    ),
  );
  if (isMilder) fault(path, "a static hint is milder than what some call may be");
}

/** The value of a field that the spec states or its class entails; `undefined` if the value varies by call. */
function statedIn({ spec }: FlatTool, group: string, name: string): unknown {
  const stated = ownMember(ownMember(spec, group), name);
  if (stated === undefined && group === "behavior") return ownMember(entailedBy(spec.concurrency?.class), name);
  return typeof stated === "object" ? undefined : stated;
}

function size(value: unknown): number {
  return Object.keys(value ?? {}).length;
}
