import type { JsonObject } from "@hasp/schema";
import type { FlatTool } from "../model/tool.js";

/** The tool's metadata, each value explicit, keys in the order of the table of defaults. */
export function metadataOf({ metadata }: FlatTool): JsonObject {
  const { concurrency, behavior, visibility, limits } = metadata;
  return {
    concurrency: { class: concurrency.class },
    behavior: {
      isReadOnly: behavior.isReadOnly,
      isDestructive: behavior.isDestructive,
      isIdempotent: behavior.isIdempotent,
      isOpenWorld: behavior.isOpenWorld,
      requiresPermission: behavior.requiresPermission,
      requiresUserInteraction: behavior.requiresUserInteraction,
      interruptBehavior: behavior.interruptBehavior,
      abortsSiblingsOnError: behavior.abortsSiblingsOnError,
    },
    visibility: { shouldDefer: visibility.shouldDefer, alwaysLoad: visibility.alwaysLoad },
    limits: {
      maxResultSizeChars: limits.maxResultSizeChars,
      timeoutSeconds: limits.timeoutSeconds,
      maxRetries: limits.maxRetries,
    },
  };
}
