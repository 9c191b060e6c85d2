import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Tests that replace a module: they need a module graph of their own. */
const mocked = "**/*.mocked.test.ts";

/** Tests with processes, browsers, editors, killed databases, packed packages, soaks and long explorations: `pnpm test:slow`. */
const slow = "**/*.slow.test.ts";

/** Slow tests of what seldom breaks by accident: they run only with `HASP_SAMPLES`, before each release. */
const long = "**/*.long.test.ts";

/** Tests that take a sample of a long exploration. With `HASP_SAMPLES=more` or `all`, they are slow and take more of it, or all. */
const sampled = "**/*.sampled.test.ts";

/** Node loads what is built as it is. */
const deps = { external: [/\/packages\/[\w-]+\/dist\//u] };

/** The settings that all projects share. */
const common = {
  root: new URL("..", import.meta.url).pathname,
  exclude: ["**/node_modules/**", "**/dist/**", "test/outside/kitchen/**"],
  setupFiles: ["test/property-seed.ts"],
  // A hasp that a test starts keeps its cache here, not in the user's own folder.
  env: { XDG_CACHE_HOME: new URL("node_modules/.cache", import.meta.url).pathname },
  // Only a hang takes so long, however busy the machine is.
  testTimeout: 180_000,
  hookTimeout: 180_000,
};

export default defineConfig({
  test: {
    // turbo has built what a package's tests need.
    globalSetup: [...(process.env["TURBO_HASH"] ? [] : ["packages/hasp/scripts/bundle.js"]), "test/shared-services.ts"],
    root: common.root,
    reporters: ["default", "test/missing-programs.ts"],
    // One more than there are cores: many tests wait for processes and timeouts.
    maxWorkers: availableParallelism() + 1,
    projects: [
      // Tests keep no state between files, so they share one module graph per worker: a third of the time.
      {
        test: {
          ...common,
          name: "unit",
          include: ["packages/*/src/**/*.test.ts"],
          exclude: [...common.exclude, mocked, slow, long],
          isolate: false,
          server: { deps },
        },
      },
      {
        test: {
          ...common,
          name: "whole",
          include: ["test/**/*.test.ts", "tools-spec/**/*.test.ts"],
          exclude: [...common.exclude, mocked, slow, long],
          isolate: false,
          server: { deps },
        },
      },
      { test: { ...common, name: "mocked", include: [mocked] } },
      {
        test: {
          ...common,
          name: "slow",
          include: process.env["HASP_SAMPLES"] === undefined ? [slow] : [slow, sampled, long],
          isolate: false,
          server: { deps },
        },
      },
    ],
  },
});
