import { providerSearch } from "@hasp/runtime/search";
import { attempt } from "@hasp/base/diagnostics";
import { type CallPreview, createDispatcher, type PermissionPolicy } from "@hasp/runtime";
import { matchesPattern } from "@hasp/runtime/contract";
import { bindTool } from "@hasp/runtime/codegen/v1";
import type { JsonValue } from "@hasp/schema";
import { createEncoder } from "@hasp/schema/codec";
import { createEvaluator, listPredicates } from "@hasp/compiler/conditions";
import { appendToPointer, isStructured, dropUndefined } from "@hasp/base/json";
import { createSpec } from "@hasp/compiler/run";
import type { PolicySummary, ToolPage } from "../../model.js";

interface Trial {
  readonly page: ToolPage;
  /** Arguments as a model would send them. */
  readonly input: string;
  readonly context: JsonValue;
  readonly policy: PolicySummary | undefined;
  /** True if a person can be asked. */
  readonly isInteractive: boolean;
}

export interface TrialResult {
  readonly preview: CallPreview;
  /** The deciding row; `undefined` if no row matches, or if one needs the handler. */
  readonly row: number | undefined;
  /** The value that each dialect's model sends for the same input, if it differs. */
  readonly wire: readonly { readonly dialect: string; readonly value: JsonValue | undefined }[];
}

/**
 * Predicts a call's decision with the runtime's own dispatcher, without the handler. Conditions that the handler
 * decides count as failing, which is strict; its checks are skipped.
 */
export async function tryCall({ page, input, context, policy, isInteractive }: Trial): Promise<TrialResult> {
  const checks = page.runnable.checks.filter(({ that }) => !("custom" in that));
  const { schema = true } = page.schemas[page.input] ?? {};
  const stated = { ...page.runnable.spec, input: schema, describe: undefined };
  const spec = createSpec({ ...page.runnable, checks, spec: stated });
  const absent = (): never => {
    throw new Error("the handler is not here");
  };
  const custom = listCustomFunctions(page).map((name) => [name, absent] as const);
  const tool = bindTool(spec, { execute: absent, ...Object.fromEntries(custom) } as never);
  const dispatcher = createDispatcher({
    tools: [tool],
    extensions: [providerSearch],
    features: () => true,
    permissions: {
      ...(policy === undefined ? {} : policyOf(policy, [tool.name, ...tool.aliases])),
      ...(isInteractive ? { ask: () => "deny" as const } : {}),
    },
  });
  const preview = await dispatcher.preview({ id: "1", name: page.name, input }, { context });
  const value = "input" in preview ? preview.input : undefined;
  return {
    preview,
    row: value === undefined ? undefined : rowOf(page, value),
    wire:
      value === undefined
        ? []
        : page.entries.flatMap((entry) =>
            "excluded" in entry || entry.codec === undefined
              ? []
              : [{ dialect: entry.dialect, value: encoded(entry.codec, parseJson(input)) }],
          ),
  };
}

export function listCustomFunctions({ runnable }: ToolPage): readonly string[] {
  const custom = listPredicates(runnable).flatMap((predicate) => ("custom" in predicate ? [predicate.custom] : []));
  return [...new Set(custom)];
}

/** Creates the policy for one tool. A dispatcher refuses patterns that match none of its tools. */
function policyOf({ deny, rules, mode }: PolicySummary, names: readonly string[]): PermissionPolicy {
  const isMatched = (pattern: string): boolean => names.some((name) => matchesPattern(pattern, name));
  const own = rules.filter(({ tool, server }) => server === undefined && isMatched(tool));
  return {
    deny: deny.filter(isMatched),
    rules: own.map(({ tool, decision, reason, condition }) => ({
      tool,
      decision,
      ...dropUndefined({ reason }),
      ...(condition && { when: conditionOf(condition) }),
    })),
    ...dropUndefined({ mode }),
  } as PermissionPolicy;
}

function conditionOf(condition: Parameters<typeof createEvaluator>[0]): (input: unknown, call: unknown) => boolean {
  const evaluate = createEvaluator(condition);
  return (_, call) => evaluate(call);
}

function rowOf({ runnable: { rules } }: ToolPage, input: JsonValue): number | undefined {
  for (const [index, { when }] of rules.entries()) {
    if ("custom" in when) return undefined;
    try {
      if (createEvaluator(when.expression)(input)) return index;
    } catch {
      return undefined;
    }
  }
  return undefined;
}

function encoded(codec: Parameters<typeof createEncoder>[0], value: JsonValue | undefined): JsonValue | undefined {
  return attempt(() => (value === undefined ? undefined : createEncoder(codec)(value)));
}

export function parseJson(text: string): JsonValue | undefined {
  return attempt(() => JSON.parse(text) as JsonValue);
}

export type Difference =
  | { readonly kind: "filled"; readonly pointer: string; readonly after: JsonValue }
  | { readonly kind: "dropped"; readonly pointer: string; readonly before: JsonValue }
  | { readonly kind: "changed"; readonly pointer: string; readonly before: JsonValue; readonly after: JsonValue };

/** Lists defaults that the runtime filled in, and values that it converted. */
export function differences(before: JsonValue, after: JsonValue, pointer = ""): readonly Difference[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const [old, now] = [entriesOf(before), entriesOf(after)];
  if (old === undefined || now === undefined || Array.isArray(before) !== Array.isArray(after)) {
    return [{ kind: "changed", pointer, before, after }];
  }
  const at = (key: string): string => appendToPointer(pointer, key);
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((key): readonly Difference[] => {
    const [was, is] = [old.get(key), now.get(key)];
    if (was === undefined) return is === undefined ? [] : [{ kind: "filled", pointer: at(key), after: is }];
    return is === undefined ? [{ kind: "dropped", pointer: at(key), before: was }] : differences(was, is, at(key));
  });
}

function entriesOf(value: JsonValue): ReadonlyMap<string, JsonValue> | undefined {
  return isStructured(value) ? new Map(Object.entries(value)) : undefined;
}
