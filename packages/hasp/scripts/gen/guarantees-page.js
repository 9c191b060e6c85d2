import { readFileSync } from "node:fs";
import { join } from "node:path";
import { code, page, table } from "./markdown.js";
import { root } from "./root.js";

/** Prints every guarantee of the dispatcher and of durable calls, with the tests that prove it. */
export function guaranteesPage() {
  const guarantees = JSON.parse(readFileSync(join(root, "test/guarantees.json"), "utf8"));
  const topics = [...new Set(guarantees.map(({ topic }) => topic))];
  return page(
    "# Guarantees",
    "What the dispatcher promises about [calls](../calls-at-run-time.md) and [durable calls](../durable-calls.md), and the test that " +
      "proves each promise. This page is printed from `test/guarantees.json`; a test checks that every named test exists.",
    topics.flatMap((topic) => [
      `## ${topic[0].toUpperCase()}${topic.slice(1)}`,
      table(
        ["guarantee", "proved by"],
        guarantees.filter((each) => each.topic === topic).map(({ holds, tests }) => [holds, proofs(tests)]),
      ),
    ]),
  );
}

const proofs = (tests) =>
  Object.entries(tests)
    .map(([file, titles]) => `${code(file)}: ${titles.map((title) => `*${title.replaceAll("*", "\\*")}*`).join(", ")}`)
    .join("<br>");
