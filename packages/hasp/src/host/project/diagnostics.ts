import { defineDiagnostics, type DiagnosticFactory } from "../../diagnostics/define-diagnostics.js";

const definitions = {
  "no-specs": {
    severity: "error",
    message: (p: { places: readonly string[] }): string =>
      `No tool spec was found in ${p.places.join(", ")}; a check of nothing proves nothing.`,
    help: (): string =>
      `Specs are files called *.tool.yaml, *.tool.json or *.tools.yaml. "specs" in the configuration says where they are; "hasp new <name> --kind read" makes one, "hasp init" sets a project up.`,
  },
  "specs-not-found": {
    severity: "error",
    message: (p: { path: string }): string => `"specs" names "${p.path}", and there is no such file or folder.`,
    help: (): string =>
      `Correct the path; it is relative to the configuration. "hasp new <name> --kind read" makes a first spec.`,
  },
  "specs-outside": {
    severity: "error",
    message: (p: { path: string }): string => `"specs" names "${p.path}", which lies outside the project.`,
  },
  "not-a-file": {
    severity: "error",
    message: (p: { path: string; what: string }): string =>
      `"${p.path}" stands where specs are looked for and is ${p.what}; a spec must be a file of its own, inside the project.`,
    help: (): string =>
      `Put the files themselves there, name the folder that they are in under "specs", or take this away.`,
  },
  "spec-misnamed": {
    severity: "error",
    message: (p: { path: string }): string =>
      `"${p.path}" begins like a spec and is not called like one, so that it would be passed over.`,
    help: (p: { path: string }): string =>
      `Call it "${p.path.replace(/\.(\w+)$/u, ".tool.$1")}". If it is none, take its key "hasp" away.`,
  },
  "approval-not-a-file": {
    severity: "error",
    message: (p: { path: string; what: string }): string =>
      `"${p.path}" stands among the approvals and is ${p.what}; an approval must be a file of its own, inside the project, so that a review sees its text.`,
    help: (): string => `Put the file itself there, or take this away.`,
  },
  "no-project": {
    severity: "error",
    message: (p: { root: string }): string => `There is no folder "${p.root}".`,
  },
} as const;

/** What reading a project may find. All of it means that nothing could be checked. */
export const projectDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("project", definitions);
