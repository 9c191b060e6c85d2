import { sumBy } from "@hasp/base/json";
import { readFileSync, readdirSync } from "node:fs";

/** Kills a process group and, on Linux, its leader's descendants in other groups, except daemons. */
export function killTree(pid: number): void {
  if (process.platform === "win32") return kill(pid);
  const [, ...descendants] = familyOf(pid);
  for (const descendant of descendants) {
    kill(-descendant);
    kill(descendant);
  }
  // The root leads its group. If it has ended, its id may belong to another process, but not the group's.
  kill(-pid);
}

interface Usage {
  readonly memoryMb: number;
  readonly cpuSeconds: number;
}

/**
 * Measures resident memory and total CPU time of this process and, on Linux, its descendants. An ended descendant
 * counts if its parent has waited for it.
 */
export function measureTree(): Usage {
  const [own, ...others] = familyOf(process.pid).map(usageOf);
  if (own === undefined) {
    const { user, system } = process.cpuUsage();
    return { memoryMb: process.memoryUsage.rss() / 2 ** 20, cpuSeconds: (user + system) / 1e6 };
  }
  return others.reduce<Usage>(
    (sum, one) => ({
      memoryMb: sum.memoryMb + (one?.memoryMb ?? 0),
      cpuSeconds: sum.cpuSeconds + (one?.cpuSeconds ?? 0),
    }),
    own,
  );
}

function usageOf(pid: number): Usage | undefined {
  try {
    const [, kilobytes = "0"] = /^VmRSS:\s*(\d+)/mu.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in brackets may hold anything. After it: utime, stime, and both of children that were waited for.
    const ticks = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 15)
      .map(Number);
    return {
      memoryMb: Number(kilobytes) / 1024,
      cpuSeconds: sumBy(ticks, (each) => each) / TICKS_PER_SECOND,
    };
  } catch {
    return undefined;
  }
}

/** The unit of times in `/proc`, whatever the kernel's clock. */
const TICKS_PER_SECOND = 100;

function familyOf(pid: number): number[] {
  const family = [pid];
  for (const member of family) family.push(...childrenOf(member).filter((child) => !family.includes(child)));
  return family;
}

function childrenOf(pid: number): readonly number[] {
  try {
    const lists = readdirSync(`/proc/${pid}/task`).map((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8"),
    );
    return lists.flatMap((list) => list.split(" ").filter(Boolean).map(Number));
  } catch {
    return [];
  }
}

/** Kills a process, or a group by its negative id. */
function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has already ended, or leads no group.
  }
}
