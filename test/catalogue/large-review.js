// A pull request in a repository with 57 tools in three projects: a sentence for all of them, a permission less, and
// changed limits.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The projects of the repository, with what their tools find, read and count. */
const projects = {
  billing: ["invoice", "payment", "refund", "credit", "plan", "tax", "receipt"],
  orders: ["order", "parcel", "return", "item", "basket", "address", "courier"],
  support: ["ticket", "customer", "article", "macro", "message", "survey", "shift"],
};

/** The texts of a project's 19 specs, by tool. */
function specsOf(project, isChanged) {
  const tools = ["find", "read", "count"].flatMap((verb) => projects[project].map((noun) => [verb, noun])).slice(0, 19);
  return tools.map(([verb, noun]) => {
    const name = `${verb}_${noun}`;
    const added = isChanged ? " Never use it for test accounts." : "";
    const text = isChanged && noun === "order" ? 500 : 200;
    const limit = isChanged && project === "support" && verb === "find" ? 20 : 50;
    const asks = !(isChanged && name === "read_refund");
    const spec = `hasp: 1
name: ${name}
description: >-
  ${verb.replace(/^./u, (letter) => letter.toUpperCase())}s ${noun}s of one shop by text, the newest first, and answers with their ids and names.${added}
input:
  type: object
  required: [text]
  properties:
    text: { type: string, description: Words that the ${noun} must contain., maxLength: ${text} }
    limit: { type: integer, description: The most ${noun}s to return., minimum: 1, maximum: ${limit} }
concurrency: { class: READ_ONLY }
behavior: { interruptBehavior: cancel, requiresPermission: ${asks} }
`;
    return [name, spec];
  });
}

/** Makes the repository in a folder, with the change, and returns the review of it: Markdown. */
export function reviewLargeChange(hasp, folder) {
  const run = (place, program, ...words) => {
    const { status, stdout, stderr } = spawnSync(program, words, { cwd: join(folder, place), encoding: "utf8" });
    if (status !== 0) throw new Error(`${words.join(" ")}: ${stdout}${stderr}`);
    return stdout;
  };
  const writeSpecs = (isChanged) => {
    for (const project of Object.keys(projects)) {
      for (const [name, spec] of specsOf(project, isChanged)) {
        writeFileSync(join(folder, project, "specs", `${name}.tool.yaml`), spec);
      }
    }
  };
  const approve = (project, tools, reason) =>
    run(project, process.execPath, hasp, "approve", tools, "--yes", "--reason", reason);
  for (const project of Object.keys(projects)) {
    mkdirSync(join(folder, project, "specs"), { recursive: true });
    const config = "specs: [specs]\noutDir: generated\ndialects: [anthropic, openai-responses-strict]\n";
    writeFileSync(join(folder, project, "hasp.config.yaml"), config);
  }
  writeSpecs(false);
  for (const project of Object.keys(projects)) approve(project, "*", "They only read the shop's own database.");
  run("", process.execPath, hasp, "build", "--all");
  run("", "git", "init", "--quiet");
  run("", "git", "add", "--all");
  run("", "git", "-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "--quiet", "--message", "main");
  writeSpecs(true);
  approve("billing", "read_refund", "Refunds are no secret in this shop.");
  return run("", process.execPath, hasp, "review", "HEAD", "--all");
}
