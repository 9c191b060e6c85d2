const contextLines = 3;
// Beyond this, finding the shortest script costs more than its reader gains.
const mostSteps = 2_000_000;

interface Edit {
  readonly kind: "same" | "removed" | "added";
  readonly line: string;
}

/** The difference of two texts as `diff -u` shows it; empty where they are the same. */
export function unifiedDiff(path: string, before: string, after: string): string {
  const edits = editsBetween(linesOf(before), linesOf(after));
  if (edits.every(({ kind }) => kind === "same")) return "";
  return [`--- ${path}`, `+++ ${path}`, ...hunks(edits)].join("\n");
}

function linesOf(text: string): readonly string[] {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

function editsBetween(before: readonly string[], after: readonly string[]): readonly Edit[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) {
    end += 1;
  }
  const same = (line: string): Edit => ({ kind: "same", line });
  return [
    ...before.slice(0, start).map(same),
    ...middleEdits(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ];
}

/** By longest common subsequence, or as one replaced block where that would take too long. */
function middleEdits(before: readonly string[], after: readonly string[]): readonly Edit[] {
  const removed = before.map((line): Edit => ({ kind: "removed", line }));
  const added = after.map((line): Edit => ({ kind: "added", line }));
  if (before.length === 0 || after.length === 0 || before.length * after.length > mostSteps) {
    return [...removed, ...added];
  }
  const width = after.length + 1;
  const common = new Uint32Array((before.length + 1) * width);
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      common[row * width + column] =
        before[row] === after[column]
          ? (common[(row + 1) * width + column + 1] ?? 0) + 1
          : Math.max(common[(row + 1) * width + column] ?? 0, common[row * width + column + 1] ?? 0);
    }
  }
  const edits: Edit[] = [];
  let row = 0;
  let column = 0;
  while (row < before.length || column < after.length) {
    const old = before[row];
    const fresh = after[column];
    if (old !== undefined && old === fresh) {
      edits.push({ kind: "same", line: old });
      row += 1;
      column += 1;
    } else if (
      fresh === undefined ||
      (old !== undefined && (common[(row + 1) * width + column] ?? 0) >= (common[row * width + column + 1] ?? 0))
    ) {
      edits.push({ kind: "removed", line: old ?? "" });
      row += 1;
    } else {
      edits.push({ kind: "added", line: fresh });
      column += 1;
    }
  }
  return edits;
}

const sign = { same: " ", removed: "-", added: "+" } as const;

function hunks(edits: readonly Edit[]): readonly string[] {
  const lines: string[] = [];
  let index = 0;
  let oldLine = 1;
  let newLine = 1;
  while (index < edits.length) {
    const change = edits.findIndex(({ kind }, at) => at >= index && kind !== "same");
    if (change === -1) break;
    const first = Math.max(index, change - contextLines);
    oldLine += first - index;
    newLine += first - index;
    const last = endOfHunk(edits, change);
    const hunk = edits.slice(first, last);
    const oldCount = hunk.filter(({ kind }) => kind !== "added").length;
    const newCount = hunk.filter(({ kind }) => kind !== "removed").length;
    lines.push(
      `@@ -${rangeText(oldLine, oldCount)} +${rangeText(newLine, newCount)} @@`,
      ...hunk.map(({ kind, line }) => sign[kind] + line),
    );
    oldLine += oldCount;
    newLine += newCount;
    index = last;
  }
  return lines;
}

/** Where a hunk ends: changes with little between them are shown as one. */
function endOfHunk(edits: readonly Edit[], change: number): number {
  let last = change;
  for (let at = change; at < edits.length && at - last <= 2 * contextLines; at += 1) {
    if (edits[at]?.kind !== "same") last = at;
  }
  return Math.min(edits.length, last + 1 + contextLines);
}

function rangeText(line: number, count: number): string {
  return `${count === 0 ? line - 1 : line},${count}`;
}
