import { readFileSync, readdirSync } from "node:fs";

/**
 * Kills a process that leads a group, everything in that group and, on Linux, its descendants in other groups. A
 * descendant that has detached itself, as a daemon does, goes on.
 */
export function killTree(pid: number): void {
  if (process.platform === "win32") return kill(pid);
  const [, ...descendants] = familyOf(pid);
  for (const descendant of descendants) {
    kill(-descendant);
    kill(descendant);
  }
  // The root leads its group. If it has already ended, its id may belong to another process, but the group's does not.
  kill(-pid);
}

/** A process and its descendants, parents first. */
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
    // Not Linux, or the process has ended.
    return [];
  }
}

/** A negative id means a group. */
function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has already ended, or leads no group.
  }
}
