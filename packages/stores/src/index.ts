export {
  durableCalls,
  type DurableOptions,
  memoryCallStore,
  type RetentionOptions,
} from "@hasp/runtime/internal/durable";
