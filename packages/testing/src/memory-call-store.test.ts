import { test } from "vitest";
import { memoryCallStore } from "@hasp/runtime";
import { callStoreConformance } from "./call-store-conformance.js";

for (const { name, run } of callStoreConformance(memoryCallStore)) {
  test(`memoryCallStore meets the contract: ${name}`, run);
}
