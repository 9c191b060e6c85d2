import { dispatcherConformance } from "@hasp/testing";
import { hasp, loadPeers } from "./dispatcher-adapters.js";

/** Runs the conformance kit on every dispatcher and prints the table, and the cases that fail. */
export default async function run() {
  // A framework may reject what nobody awaits any more, such as a tool whose turn was aborted.
  const ignore = () => undefined;
  process.on("unhandledRejection", ignore);
  const columns = [];
  for (const adapter of [hasp, ...(await loadPeers())]) {
    const groups = new Map();
    const failures = [];
    for (const { group, name, leftToHost, run: check } of dispatcherConformance(adapter)) {
      const counts = groups.get(group) ?? { passed: 0, left: 0, all: 0 };
      groups.set(group, counts);
      counts.all += 1;
      try {
        await check();
        counts.passed += 1;
      } catch (error) {
        if (leftToHost === undefined) failures.push(`${group}: it ${name}\n      ${firstLine(error)}`);
        else counts.left += 1;
      }
    }
    columns.push({ title: `${adapter.name} ${adapter.version}`, groups, failures });
  }
  process.off("unhandledRejection", ignore);
  const rows = [...columns[0].groups].map(([group, { all }]) => [
    `${group}, of ${all}`,
    ...columns.map(({ groups }) => show(groups.get(group))),
  ]);
  const total = ({ groups }) =>
    [...groups.values()].reduce((sum, each) => ({
      passed: sum.passed + each.passed,
      left: sum.left + each.left,
      all: sum.all + each.all,
    }));
  rows.push([`**all, of ${total(columns[0]).all}**`, ...columns.map((column) => show(total(column)))]);
  process.stdout.write(
    `\nConformance: passed (and left to the host)\n${row(["", ...columns.map(({ title }) => title)])}`,
  );
  process.stdout.write(`${row(["---", ...columns.map(() => "---:")])}${rows.map(row).join("")}`);
  for (const { title, failures } of columns) {
    if (failures.length > 0) {
      process.stdout.write(`\n${title} does not pass\n${failures.map((line) => `  - ${line}\n`).join("")}`);
    }
  }
}

function show({ passed, left }) {
  return left === 0 ? `${passed}` : `${passed} (${left})`;
}

function row(cells) {
  return `| ${cells.join(" | ")} |\n`;
}

function firstLine(error) {
  return String(error?.message ?? error)
    .split("\n", 1)[0]
    .slice(0, 160);
}
