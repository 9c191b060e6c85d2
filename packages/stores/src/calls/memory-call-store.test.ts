import { test } from "vitest";
import { callStoreConformance } from "@hasp/testing";
import { memoryCallStore } from "../index.js";

for (const { name, run } of callStoreConformance(memoryCallStore)) {
  test(`memoryCallStore meets the contract: ${name}`, run);
}
