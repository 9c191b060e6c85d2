import { importInner } from "./import-built.js";
import { code, page, table } from "./markdown.js";

/** Prints every way to loosen a project, with the finding that reports it. */
export async function looseningPage() {
  const [{ WAYS_TO_LOOSEN }, { isUnproved, listOf }] = await Promise.all([
    importInner("compiler", "diff/ways-to-loosen.testing.ts"),
    importInner("compiler", "diff/index.ts"),
  ]);
  const parts = [...new Set(WAYS_TO_LOOSEN.map(({ part }) => part))];
  return page(
    "# Every way to loosen a project",
    "What makes a project safe in fewer cases than before, and the finding of [`hasp diff`](../diff.md) that reports it. The list is " +
      "derived from the tables of fields and of keywords. A test makes each of these changes and looks for the finding. A finding that " +
      "*may* be so is one that hasp could not prove. This page is printed from the code.",
    parts.flatMap((part) => [
      `## ${part[0].toUpperCase()}${part.slice(1)}`,
      table(
        ["change", "finding", "list"],
        WAYS_TO_LOOSEN.filter((way) => way.part === part).map(({ what, finding }) => {
          const id = `diff/${finding}`;
          return [what, code(id), isUnproved(id) ? `${listOf(id)} (*may*)` : listOf(id)];
        }),
      ),
    ]),
  );
}
