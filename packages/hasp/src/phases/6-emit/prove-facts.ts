import { FAIL_CLOSED_DEFAULTS, READ_ONLY_ENTAILS } from "@hasp/runtime";
import type { JsonValue } from "@hasp/schema";
import { ownMember } from "../../model/own.js";
import type { FlatTool } from "../../model/tool.js";
import { fault } from "./fault.js";

/**
 * Each fact that the spec leaves out has its strict value in a file, each that it states or its class entails has that
 * one. Held against the spec itself, so that a fault of the phases between is found as well.
 */
export function proveFacts(tool: FlatTool, written: JsonValue | undefined, path: string): void {
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

/** No static hint of a tool is milder than its facts, or than a row of its table. */
export function proveWorstCase({ metadata, rules, worstCase }: FlatTool, path: string): void {
  const { behavior } = metadata;
  const every = [behavior, ...rules.map((row) => ({ ...behavior, ...row }))];
  const isMilder =
    (worstCase.isReadOnly && !every.every(({ isReadOnly }) => isReadOnly)) ||
    (!worstCase.isDestructive && every.some(({ isDestructive }) => isDestructive)) ||
    (worstCase.isIdempotent && !every.every(({ isIdempotent }) => isIdempotent === true)) ||
    (!worstCase.isOpenWorld && behavior.isOpenWorld) ||
    (!worstCase.requiresPermission && every.some(({ requiresPermission }) => requiresPermission)) ||
    [metadata, ...rules.map((row) => ({ concurrency: row }))].some(
      ({ concurrency }) => mildness[worstCase.class] > mildness[concurrency.class],
    );
  if (isMilder) fault(path, "a static hint is milder than what some call may be");
}

const mildness = { UNSAFE: 0, WRITE_EXCLUSIVE: 1, READ_ONLY: 2 } as const;

/** What the spec says of a field, or its class entails; nothing where the value varies from call to call. */
function statedIn({ spec }: FlatTool, group: string, name: string): unknown {
  const stated = ownMember(ownMember(spec, group), name);
  if (stated === undefined && group === "behavior" && spec.concurrency?.class === "READ_ONLY") {
    return ownMember(READ_ONLY_ENTAILS, name);
  }
  return typeof stated === "object" ? undefined : stated;
}

function size(value: unknown): number {
  return Object.keys(value ?? {}).length;
}
