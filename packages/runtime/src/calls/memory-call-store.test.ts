import { test } from "vitest";
import { callStoreConformance } from "../testing/call-store-conformance.js";
import { memoryCallStore } from "./memory-call-store.js";

for (const { name, run } of callStoreConformance(memoryCallStore)) {
  test(`memoryCallStore meets the contract: ${name}`, run);
}
