import type { Diagnostic } from "../../../compiler/src/diagnostics/diagnostic.js";
import type { TextSpan } from "../../../compiler/src/diagnostics/place-in-text.js";
import type { SourceText } from "../../../compiler/src/model/document.js";
import type { LanguageProject } from "../model/language-project.js";
import type { ProjectEdit } from "../model/project-edit.js";
import { addTest } from "./add-test.js";
import { approveClaim } from "./approve-claim.js";
import { applyOwnFix } from "./apply-own-fix.js";
import { suppressFinding } from "./suppress-finding.js";

interface CodeAction {
  readonly title: string;
  readonly edit: ProjectEdit;
  readonly finding: Diagnostic;
  readonly isPreferred: boolean;
}

interface ActionPlace {
  readonly project: LanguageProject;
  readonly document: SourceText;
  readonly finding: Diagnostic;
}

export type Offer = (place: ActionPlace) => readonly CodeAction[];

const OFFERS: readonly Offer[] = [applyOwnFix, approveClaim, addTest, suppressFinding];

/** Lists changes for the findings on the lines of a range. */
export function codeActions(
  project: LanguageProject,
  document: SourceText,
  { start, end }: TextSpan,
): readonly CodeAction[] {
  const lineStart = document.text.lastIndexOf("\n", start - 1) + 1;
  const nextLine = document.text.indexOf("\n", end);
  const lineEnd = nextLine === -1 ? document.text.length : nextLine;
  const touched = project.diagnostics.filter(
    ({ location }) =>
      location?.uri === document.uri &&
      location.range.start.offset <= lineEnd &&
      lineStart <= location.range.end.offset,
  );
  return touched.flatMap((finding) => OFFERS.flatMap((offer) => offer({ project, document, finding })));
}
