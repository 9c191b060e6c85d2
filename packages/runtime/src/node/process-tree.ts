import { readFileSync, readdirSync } from "node:fs";

/**
 * Kills a process that leads a group, everything in that group and, where the system tells who started whom (Linux),
 * what it started in groups of their own. Whoever has left the family by then, as a daemon does, goes on.
 */
export function killTree(pid: number): void {
  if (process.platform === "win32") return kill(pid);
  const [, ...descendants] = familyOf(pid);
  for (const descendant of descendants) {
    kill(-descendant);
    kill(descendant);
  }
  // The root leads its group. Where it has ended already its own number may be another's by now, the group's is not.
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
    // No such system, or it has ended meanwhile.
    return [];
  }
}

/** A negative id means a group. */
function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It is gone already, or leads no group.
  }
}
