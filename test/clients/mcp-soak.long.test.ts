// Ten seconds of what `pnpm bench mcp-soak` does for ten minutes.
import { existsSync } from "node:fs";
import { expect, test } from "vitest";

interface Soaked {
  readonly counts: { readonly calls: number; readonly cancelled: number; readonly wrong: number };
  readonly faults: readonly string[];
  readonly lost: number;
  readonly stopped: number;
  readonly code: number;
}

test.runIf(existsSync("/proc/self/fd"))(
  "clients that call, cancel, reconnect and are cut off by SIGTERM lose no call",
  async () => {
    const bench = new URL("../bench/mcp-soak.js", import.meta.url).href;
    const { soak } = (await import(bench)) as {
      readonly soak: (options: { readonly seconds: number; readonly clients: number }) => Promise<Soaked>;
    };
    const { counts, faults, lost, stopped, code } = await soak({ seconds: 10, clients: 8 });
    expect({ wrong: counts.wrong, faults, lost, stopped, code }).toEqual({
      wrong: 0,
      faults: [],
      lost: 0,
      stopped: 8,
      code: 0,
    });
    expect(counts.calls).toBeGreaterThan(counts.cancelled);
    expect(counts.cancelled).toBeGreaterThan(0);
  },
);
