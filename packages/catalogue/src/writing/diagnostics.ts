import { defineDiagnostics, type DiagnosticFactory } from "@hasp/base/diagnostics";

/** The findings about the files of a page; they count as those of the command line. */
export const catalogueFindings = {
  "catalogue-over-file": {
    message: '"{path}" already exists and is not a catalogue, so it was left unchanged.',
    help: "Name another folder with --out, or remove the file first.",
  },
} as const;

export const catalogueDiagnostics: DiagnosticFactory<typeof catalogueFindings> = defineDiagnostics(
  "cli",
  catalogueFindings,
);
