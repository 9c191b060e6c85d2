import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: new URL("..", import.meta.url).pathname,
    include: ["packages/*/src/**/*.test.ts", "test/**/*.test.ts", "tools-spec/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/dist/**", "test/consumers/**"],
    globalSetup: ["test/bundle.js"],
    setupFiles: ["test/property-seed.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
