import { defineDiagnostics, type DiagnosticFactory } from "@hasp/base/diagnostics";

const definitions = {
  "no-specs": {
    message: "No tool specs found in {places:list}, so there is nothing to check.",
    help: 'Spec files are named *.tool.yaml, *.tool.json or *.tools.yaml. Set "specs" in the configuration to where they are, run "hasp new <name> --kind read" to create one, or run "hasp init" to set up a project.',
  },
  "specs-not-found": {
    message: '"specs" lists "{path}", but there is no such file or folder.',
    help: 'Correct the path, which is relative to the configuration file, or run "hasp new <name> --kind read" to create a first spec.',
  },
  "glob-without-match": {
    message: '"specs" lists "{glob}", which matches no spec.',
    help: "Correct the glob, which is relative to the configuration file, or remove it.",
  },
  "specs-outside": '"specs" lists "{path}", which is outside the project.',
  "not-a-file": {
    message: '"{path}" is named like a spec but is {what}; a spec must be a regular file inside the project.',
    help: 'Put the files there, add their folder to "specs", or remove this entry.',
  },
  "nested-project": {
    message: '"{path}" makes "{folder}" a project of its own, but "specs" of this project also covers "{spec}".',
    help: 'List folders under "specs" that leave that project out, or delete its configuration.',
  },
  "spec-misnamed": {
    message: '"{path}" starts like a spec but is not named like one, so hasp would skip it.',
    help: 'Rename it to "{name}". If it is not a spec, remove its "hasp" key.',
  },
  "approval-not-a-file": {
    message: {
      entry:
        '"{path}" is in the approvals folder but is {what}; an approval must be a regular file inside the project so that reviewers see its content.',
      folder:
        'The approvals folder "{path}" is {what}; approvals must be regular files inside the project so that reviewers see their content.',
    },
    help: "Put the files themselves there, or remove this entry.",
  },
  "handler-twin": {
    message: 'A program may run "{path}" in place of "{module}": both are what it imports as "{specifier}".',
    help: "Delete one of the two. If a compiler wrote it, let it write into another folder, or let git ignore the file.",
  },
  "shared-output": {
    message:
      'This configuration writes to "{outDir}", and so does {other} ("{folder}"): each build would remove the files of the other.',
    help: 'Give each configuration an "outDir" of its own.',
  },
  "shared-ledger": {
    message:
      'The approvals of "{tool}" would also hold for another tool of this name, in "{path}" of {other}: both configurations use the same ledger.',
    help: "Give one of the tools another name, name one spec in both configurations, or move one configuration into a folder of its own.",
  },
  "spec-not-covered": {
    severity: "warning",
    message: {
      none: "No configuration is in the folder of this spec or above it, so editors do not check it.",
      other: 'No "specs" of {names:list} cover this file, so nothing checks it.',
    },
    help: 'Name its folder under "specs" of a configuration.',
  },
  "no-project": 'There is no folder "{root}".',
} as const;

/** Diagnostics from reading a project. */
export const projectDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("project", definitions);
