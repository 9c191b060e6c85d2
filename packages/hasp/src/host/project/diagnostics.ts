import { defineDiagnostics, type DiagnosticFactory } from "../../diagnostics/define-diagnostics.js";

const definitions = {
  "no-specs": {
    severity: "error",
    message: "No tool spec was found in {places:list}; a check of nothing proves nothing.",
    help: 'Specs are files called *.tool.yaml, *.tool.json or *.tools.yaml. "specs" in the configuration says where they are; "hasp new <name> --kind read" makes one, "hasp init" sets a project up.',
  },
  "specs-not-found": {
    severity: "error",
    message: '"specs" names "{path}", and there is no such file or folder.',
    help: 'Correct the path; it is relative to the configuration. "hasp new <name> --kind read" makes a first spec.',
  },
  "specs-outside": {
    severity: "error",
    message: '"specs" names "{path}", which lies outside the project.',
  },
  "not-a-file": {
    severity: "error",
    message:
      '"{path}" stands where specs are looked for and is {what}; a spec must be a file of its own, inside the project.',
    help: 'Put the files themselves there, name the folder that they are in under "specs", or take this away.',
  },
  "spec-misnamed": {
    severity: "error",
    message: '"{path}" begins like a spec and is not called like one, so that it would be passed over.',
    help: 'Call it "{name}". If it is none, take its key "hasp" away.',
  },
  "approval-not-a-file": {
    severity: "error",
    message:
      '"{path}" stands among the approvals and is {what}; an approval must be a file of its own, inside the project, so that a review sees its text.',
    help: "Put the file itself there, or take this away.",
  },
  "no-project": {
    severity: "error",
    message: 'There is no folder "{root}".',
  },
} as const;

/** What reading a project may find. All of it means that nothing could be checked. */
export const projectDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("project", definitions);
