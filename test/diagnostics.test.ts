import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { Message } from "@hasp/base/diagnostics";
import { catalogueFindings } from "@hasp/catalogue";
import { sourceFindings } from "@hasp/import";
import { sessionFindings } from "@hasp/project/session";
import { handlerFindings } from "@hasp/serve/tests";
import { declaredFindings } from "../packages/hasp/src/cli/show/explain.js";
import { commandFindings } from "../packages/hasp/src/cli/shell/diagnostics.js";
import { findingPhases } from "@hasp/compiler/model";
import { rules } from "@hasp/builtin";

const root = resolve(import.meta.dirname, "..");
const FORMATS = [
  "list",
  "quoted",
  "code",
  "json",
  "value",
  "clauses",
  "excerpt",
  "clause",
  "lines",
  "optional",
  "suggestion",
];

const findings = new Map(
  (await Promise.all([...findingPhases.keys()].map(declaredFindings))).flatMap((declared) => [...declared]),
);

function templatesOf(message: Message | undefined): readonly string[] {
  return message === undefined ? [] : typeof message === "string" ? [message] : Object.values(message);
}

test("every placeholder of every message can be filled in", () => {
  const messages = [
    ...[...findings.values()].flatMap(({ message, help }) => [message, help]),
    ...rules.flatMap((rule) => Object.values(rule.messages)),
  ];
  const templates = messages.flatMap(templatesOf);
  expect(templates.length).toBeGreaterThan(300);
  for (const template of templates) {
    // A brace before a space, a quote or another brace is literal.
    for (const [, placeholder = ""] of template.matchAll(/\{(?=[^ "}])([^}]*)\}?/gu)) {
      const [, , format] = /^([a-zA-Z]\w*)(?::([a-z]+))?$/u.exec(placeholder) ?? [undefined, undefined, "none"];
      expect(format === undefined || FORMATS.includes(format), `${template}: {${placeholder}}`).toBe(true);
    }
  }
});

test("the reference has an entry for every code and every rule", () => {
  const page = (name: string): string => readFileSync(join(root, "packages/hasp/docs/reference", `${name}.md`), "utf8");
  const phaseOf = (code: string): string => code.split("/")[0] ?? "";
  const missing = [...findings.keys()].filter((code) => !page(`diagnostics/${phaseOf(code)}`).includes(`\`${code}\``));
  expect(missing).toEqual([]);
  expect([...findingPhases.keys()].filter((phase) => !page("diagnostics").includes(`diagnostics/${phase}.md`))).toEqual(
    [],
  );
  expect(rules.map(({ id }) => id).filter((id) => !page("rules").includes(`## ${id}`))).toEqual([]);
});

test("each finding of the command line is declared in one place, and known with the others", async () => {
  const tables = [commandFindings, sessionFindings, handlerFindings, sourceFindings, catalogueFindings];
  const codes = tables.flatMap((table) => Object.keys(table).map((name) => `cli/${name}`));
  expect(codes.toSorted()).toEqual([...(await declaredFindings("cli")).keys()].toSorted());
});

test("diagnostics are declared, never put together where they are found", () => {
  const files = ["hasp", "schema"].flatMap((name) => {
    const source = join(root, "packages", name, "src");
    return readdirSync(source, { recursive: true, encoding: "utf8" }).map((path) => [source, path] as const);
  });
  const declaring = /(?:^|\/)(?:[\w-]*diagnostics|messages|format-problems|check-template)\.ts$|^rules\//u;
  const offenders = files
    .map(([source, path]) => [source, path.replaceAll("\\", "/")] as const)
    .filter(([, path]) => path.endsWith(".ts") && !/\.(?:test|testing)\.ts$/u.test(path) && !declaring.test(path))
    .filter(([source, path]) =>
      /severity: "(?:error|warning|info)",\s*message[:,]|code: "[a-z]+\/[a-z-]+",/u.test(
        readFileSync(join(source, path), "utf8"),
      ),
    );
  expect(offenders).toEqual([]);
});
