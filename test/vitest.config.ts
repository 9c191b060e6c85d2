import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: new URL("..", import.meta.url).pathname,
    include: ["packages/*/src/**/*.test.ts", "test/**/*.test.ts", "tools-spec/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/dist/**", "test/consumers/**"],
    globalSetup: ["packages/hasp/scripts/bundle.js"],
    setupFiles: ["test/property-seed.ts"],
    // A hasp that a test starts keeps what it remembers here, not in the user's own cache.
    env: { XDG_CACHE_HOME: new URL("node_modules/.cache", import.meta.url).pathname },
    // By default one core is left to whoever watches; most of our tests wait for processes of their own.
    maxWorkers: "100%",
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
