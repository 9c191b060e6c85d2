import { createLocation, defineDiagnostics, type Diagnostic, type DiagnosticFactory } from "@hasp/base/diagnostics";
import type { FolderDetours } from "../fs/detours.js";

const writeDefinitions = {
  "outside-project": {
    message:
      '"{path}" resolves to a location outside the project, or inside .git or node_modules; hasp writes only to the project\'s own folders.',
    help: "Set `outDir` and `handlers` to folders in the project that are not links to other locations.",
  },
  "foreign-file": {
    message: '"{path}" already exists, and hasp did not create it.',
    help: "Move it, delete it, or set `outDir` to a separate folder.",
  },
  "not-a-file": '"{path}" is a folder, but hasp needs to write a file there.',
  locked: {
    message: "Another build (process {process}) is writing to this project.",
    help: "Wait for it to finish, then build again. If that process is not a build, delete {path}.",
  },
  "no-lock": {
    message:
      "The lock file {path}, which prevents concurrent builds, cannot be created: {reason}. Nothing was changed.",
    help: "Delete whatever is at that path, or set TMPDIR (TEMP on Windows) to a writable folder.",
  },
  "no-permission": {
    message: 'Permission to write "{path}" was denied. Nothing was changed.',
    help: "Make the location writable, or set `outDir` to another folder.",
  },
  "disk-full": 'The disk is full: "{path}" could not be written. Nothing was changed.',
  failed: '"{path}" could not be written ({reason}). Nothing was changed.',
  "edited-leftover": {
    severity: "warning",
    message: 'No spec generates "{path}" any longer, but it was edited by hand, so hasp keeps it.',
    help: "Save what you need, then delete it yourself.",
  },
  "handler-without-tool": {
    severity: "warning",
    message: '"{path}" was the handler of "{tool}", which no longer exists. hasp keeps the file unchanged.',
    help: "If the tool was renamed, move your code to {target} and update its type names; otherwise delete the file.",
  },
  "handler-moved": {
    severity: "warning",
    message:
      '"{path}" was the handler of "{tool}", whose handler is now "{target}": the name of another tool is too similar. hasp keeps the file unchanged.',
    help: 'Move your code to "{target}", or rename the other tool and build again.',
  },
  "handler-unused": {
    severity: "warning",
    message: '"{path}" is never run: the spec of "{tool}" declares its handler. hasp keeps the file unchanged.',
    help: "Delete the file, or remove `handler` from the spec to run it.",
  },
  "handler-replaced": {
    severity: "warning",
    message: 'The handler "{path}" of "{tool}" was missing, so hasp wrote a stub in its place.',
    help: "If you did not delete it, restore your code, for example with `git checkout -- {path}`.",
  },
  "stub-left-alone": {
    severity: "warning",
    message: '"{path}" was left unchanged: {problem}. Its spec requires {functions:code}.',
    help: "Export the missing functions yourself; the type checker reports their names.",
  },
  "old-typescript": {
    severity: "warning",
    message: "TypeScript {version} is installed here, but generated code needs {smallest} or newer.",
    help: "Install a newer one: `npm install --save-dev typescript@latest`.",
  },
  "blind-resolution": {
    severity: "warning",
    message: '"moduleResolution": "{value}" finds no entry points of packages, so generated code does not compile.',
    help: 'Use "nodenext", or "bundler" if a bundler builds the program.',
  },
  "implied-resolution": {
    severity: "warning",
    message:
      'Without "moduleResolution", TypeScript {version} finds no entry points of packages, so generated code does not compile.',
    help: 'Use "module": "nodenext", or "moduleResolution": "bundler" if a bundler builds the program.',
  },
} as const;

export const writeDiagnostics: DiagnosticFactory<typeof writeDefinitions> = defineDiagnostics(
  "write",
  writeDefinitions,
);

const driftDefinitions = {
  missing: {
    message: "{files} missing.",
    help: "Run `hasp build` and commit what it writes.",
  },
  "handler-missing": {
    message: 'The handler "{path}" is missing.',
    help: "Restore it, for example with `git checkout -- {path}`. `hasp build` would write a stub in its place, without your code.",
  },
  outdated: {
    message: {
      inputs: "{files} out of date: since the last build, {inputs} changed.",
      other: "{files} out of date with the specs.",
    },
    help: "Run `hasp build` and commit what it writes.",
  },
  "other-version": {
    message: "{files} from hasp {was}; hasp {version} writes other text.",
    help: "Run `hasp build`, review what changes, and commit it. Keep the update of hasp in a change of its own.",
  },
  conflicted: {
    message: '"{path}" has merge conflicts.',
    help: "Generated files are never merged by hand: run `hasp build`, then `git add` what it writes.",
  },
  reformatted: {
    message: "{files} laid out differently than hasp wrote: a formatter changed that.",
    help: "Run `hasp init`, which excludes the folder in .prettierignore and biome.json, then `hasp build`.",
  },
  edited: {
    message: '"{path}" was edited by hand.',
    help: "Change the spec instead, then run `hasp build` to regenerate the file.",
  },
  "not-verified": {
    message: "The generated modules could not be verified: the process that runs them {lapse}. Nothing was written.",
    help: "Run the command again. If that does not help, please report it.",
  },
  twin: {
    message: 'A program may run "{path}" in place of the generated "{module}".',
    help: "Delete it: everything below `outDir` belongs to hasp. If a compiler wrote it, let git ignore the file.",
  },
  link: {
    message: '"{path}" is a symbolic link: programs resolve the imports of generated modules where it leads.',
    help: "Replace the link with what it leads to, or set `outDir` to a folder that no link leads to; then run `hasp build`.",
  },
  replaced: {
    message: {
      module: 'By "{field}" in "{file}", programs load another file in place of the generated "{module}".',
      unreadable:
        'By "{file}", programs may load other files in place of generated ones, and hasp cannot read it: {reason}.',
      import: 'By "{file}", programs may load other code in place of "{name}", which generated modules import.',
    },
    help: {
      module: "Remove this entry: everything below `outDir` belongs to hasp.",
      unreadable: "Repair the file, or remove it.",
      import: "Remove what leads there, or change it so that it matches no name of hasp's.",
    },
  },
  stranger: {
    severity: "warning",
    message: '"{path}" is among the generated files, but hasp did not write it.',
    help: "Move it to another folder, or delete it: everything below `outDir` belongs to hasp.",
  },
  inputs: {
    message:
      'The inputs of the task "{task}" of {runner} in {package} lack "{first}"{also}, which the build reads. After a change there alone, {runner} restores the old build.',
    help: 'Add to "inputs" of the task: {needed:code}.',
  },
  leftover: {
    message: "{files} no longer generated by any spec.",
    help: "Run `hasp build` and commit what it writes.",
  },
} as const;

export const driftDiagnostics: DiagnosticFactory<typeof driftDefinitions> = defineDiagnostics(
  "drift",
  driftDefinitions,
);

/** Reports the links on the way to hasp's own folder and in it. */
export function reportLinks({ links }: FolderDetours): readonly Diagnostic[] {
  return links.map((path) => driftDiagnostics("link", createLocation(path), { path }));
}
