export { durableCalls, type DurableOptions } from "@hasp/runtime/internal/durable";
