import { join, posix } from "node:path";
import { fillPlaceholders } from "@hasp/base/diagnostics";
import { isWithin, readTemplate, toSlashPath } from "@hasp/project";
import { findFirstExisting, findOwnerLine, OWNER_FILES } from "@hasp/project/read";
import { addLines, hasPattern, withLines, writePattern } from "../project/pattern-lines.js";
import { excludeInBiome } from "./edit-json.js";
import type { InitFile } from "./write-files.js";

/** Creates the Git attributes of generated files. */
export async function gitAttributes(folder: string, outDir: string): Promise<InitFile> {
  const pattern = writePattern(`/${outDir}/`) + "**";
  // Attributes begin after the first space that is not in quotes.
  const quoted = /[\s"]/u.test(pattern) ? JSON.stringify(pattern) : pattern;
  const lines = fillPlaceholders(await readTemplate("merge/gitattributes"), { PATTERN: quoted });
  return {
    path: join(folder, ".gitattributes"),
    what: "keeps generated files out of merge conflicts",
    edit: (text) => withLines(text, lines, quoted),
  };
}

/** Creates the exclusions that keep formatters from files that hasp writes: JSON has no comment that could. */
export async function formatterSettings(folder: string, outDir: string): Promise<readonly InitFile[]> {
  const what = "keeps formatters from what hasp writes";
  const pattern = writePattern(`/${outDir}/`);
  const lines = fillPlaceholders(await readTemplate("merge/prettierignore"), { PATTERN: pattern });
  const biome = findFirstExisting(["biome.json", "biome.jsonc"].map((name) => join(folder, name)));
  return [
    { path: join(folder, ".prettierignore"), what, edit: (text) => withLines(text, lines, pattern) },
    ...(biome === undefined ? [] : [{ path: biome, what, edit: (text = "{}") => excludeInBiome(text, `!${outDir}`) }]),
  ];
}

export async function agentsSection(folder: string): Promise<InitFile> {
  const [first = "", ...others] = ["AGENTS.md", "CLAUDE.md"].map((name) => join(folder, name));
  const lines = await readTemplate("agents/section.md");
  return {
    path: findFirstExisting([first, ...others]) ?? first,
    what: "tells agents how to write specs",
    edit: (text) => withLines(text, lines, "<!-- hasp: tools -->"),
  };
}

/** The files that check a pull request. */
const WORKFLOW = ["/.github/workflows/hasp.yml", "/.github/actions/hasp/"];

/** The files of a project, beside its ledger, that decide what a tool may do. */
const DECIDING = ["hasp.*.*", "policies/", "presets/", "hasp-plugins/", "auth.yaml"];

export async function codeOwners(
  repository: string,
  folders: readonly string[],
  settings: readonly string[],
  owner: string | undefined,
): Promise<InitFile> {
  const candidates = [...OWNER_FILES, ".gitlab/CODEOWNERS"].map((path) => join(repository, path));
  const projects = folders.map((folder) => posix.join("/", toSlashPath(repository, folder), "/"));
  const decidingIn = (project: string): readonly string[] =>
    ["hasp-ledger/", ...DECIDING].map((path) => project + path);
  const isOwned = (path: string): boolean =>
    projects.some(
      (project) =>
        decidingIn(project).some((each) => path.startsWith(each)) ||
        (path.startsWith(project) && /^hasp\.[^./]*\.[^/]*$/u.test(path.slice(project.length))),
    );
  const others = settings
    .filter((path) => isWithin(repository, path))
    .map((path) => `/${toSlashPath(repository, path)}`)
    .filter((path) => !path.includes("/node_modules/") && !isOwned(path));
  const paths = [
    ...projects.map(writeOwnedPath).flatMap(decidingIn),
    ...new Set(others.map(writeOwnedPath)),
    ...WORKFLOW,
  ];
  const template = await readTemplate("merge/CODEOWNERS");
  return {
    path: findFirstExisting(candidates) ?? join(repository, ".github/CODEOWNERS"),
    what:
      owner === undefined
        ? "name the owners there, and remove the #"
        : `${owner} owns what decides about tools, where no line of its own names an owner`,
    edit: (text) => {
      const lacks = (pattern: string): boolean => !hasPattern(text, pattern);
      const missing = paths.filter((path) =>
        owner === undefined ? lacks(path) && lacks(`# ${path}`) : !isDecidedBy(path, text ?? ""),
      );
      if (missing.length === 0) return undefined;
      const lines = missing.map((path) => (owner === undefined ? `# ${path} @your/reviewers` : `${path} ${owner}`));
      return addLines(text, fillPlaceholders(template, { PATHS: lines.join("\n") }));
    },
  };
}

/** Endings of files that a pattern of CODEOWNERS may give to others. */
const ENDINGS = ["yaml", "yml", "json", "mjs", "ts", "js"];

/** True if the line of CODEOWNERS for a path names an owner, and none below it matches files there. */
function isDecidedBy(path: string, rules: string): boolean {
  const place = path.replace("/", "").replaceAll("\\ ", " ");
  return ENDINGS.every((ending) => {
    const line = findOwnerLine(rules, place.replace("*.*", `config.${ending}`).replace(/\/$/u, `/x.${ending}`));
    return line?.pattern === path && line.owners.length > 0;
  });
}

/** Writes a path for CODEOWNERS. GitHub knows no escapes but that of a space; `?` matches any character instead. */
function writeOwnedPath(path: string): string {
  return path.replaceAll(/[^\S ]|[\\*?[\]#!]/gu, "?").replaceAll(" ", String.raw`\ `);
}
