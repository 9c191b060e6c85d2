import { FAIL_CLOSED_DEFAULTS, READ_ONLY_ENTAILS, type ConcurrencyClass, type ToolMetadata } from "@hasp/runtime";
import type { SpecFlag, ToolSpec } from "../../model/spec.js";

/** The name of a flag that a class may entail. */
export type EntailedFlag = keyof typeof READ_ONLY_ENTAILS;

/** The names of the flags that a class may entail. */
export const ENTAILED_FLAGS: readonly EntailedFlag[] = ["isReadOnly", "isDestructive", "isIdempotent"];

/** The tool's own values, and which of them its author stated or its class entails. */
export interface ResolvedMetadata {
  readonly metadata: ToolMetadata;
  readonly stated: ReadonlySet<string>;
}

/** Fills every value that the spec leaves out, from the one table of defaults. */
export function resolveMetadata(spec: ToolSpec): ResolvedMetadata {
  const { concurrency = {}, behavior = {}, visibility = {}, limits = {} } = spec;
  const defaults = FAIL_CLOSED_DEFAULTS;
  const stated = new Set<string>();
  const take = <Value>(path: string, value: Value | undefined, fallback: Value): Value => {
    if (value === undefined) return fallback;
    stated.add(path);
    return value;
  };

  const ownClass: ConcurrencyClass = take("concurrency.class", concurrency.class, defaults.concurrency.class);
  const isReadOnlyClass = ownClass === "READ_ONLY";
  /**
   * `strict` wherever the author says nothing, and where a flag varies: nothing proves the milder value for every call.
   */
  const flag = <Value extends boolean | string>(
    name: string,
    value: SpecFlag<Value> | undefined,
    strict: Value,
    entailed?: Value,
  ): Value => {
    const own = value ?? (isReadOnlyClass ? entailed : undefined);
    return take(`behavior.${name}`, typeof own === "object" ? strict : own, strict);
  };

  return {
    metadata: {
      concurrency: { class: ownClass },
      behavior: {
        isReadOnly: flag("isReadOnly", behavior.isReadOnly, defaults.behavior.isReadOnly, READ_ONLY_ENTAILS.isReadOnly),
        isDestructive: flag(
          "isDestructive",
          behavior.isDestructive,
          defaults.behavior.isDestructive,
          READ_ONLY_ENTAILS.isDestructive,
        ),
        isIdempotent: flag(
          "isIdempotent",
          behavior.isIdempotent,
          defaults.behavior.isIdempotent,
          READ_ONLY_ENTAILS.isIdempotent,
        ),
        isOpenWorld: take("behavior.isOpenWorld", behavior.isOpenWorld, defaults.behavior.isOpenWorld),
        requiresPermission: flag(
          "requiresPermission",
          behavior.requiresPermission,
          defaults.behavior.requiresPermission,
        ),
        requiresUserInteraction: take(
          "behavior.requiresUserInteraction",
          behavior.requiresUserInteraction,
          defaults.behavior.requiresUserInteraction,
        ),
        interruptBehavior: take(
          "behavior.interruptBehavior",
          behavior.interruptBehavior,
          defaults.behavior.interruptBehavior,
        ),
        abortsSiblingsOnError: take(
          "behavior.abortsSiblingsOnError",
          behavior.abortsSiblingsOnError,
          defaults.behavior.abortsSiblingsOnError,
        ),
      },
      visibility: {
        shouldDefer: take("visibility.shouldDefer", visibility.shouldDefer, defaults.visibility.shouldDefer),
        alwaysLoad: take("visibility.alwaysLoad", visibility.alwaysLoad, defaults.visibility.alwaysLoad),
      },
      limits: {
        maxResultSizeChars: take(
          "limits.maxResultSizeChars",
          limits.maxResultSizeChars,
          defaults.limits.maxResultSizeChars,
        ),
        timeoutSeconds: take("limits.timeoutSeconds", limits.timeoutSeconds, defaults.limits.timeoutSeconds),
        maxRetries: take("limits.maxRetries", limits.maxRetries, defaults.limits.maxRetries),
      },
    },
    stated,
  };
}
