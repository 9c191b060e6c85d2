import { applyFix } from "../../../compiler/src/fixes/apply-fix.js";
import type { Offer } from "./code-actions.js";
import { textChange } from "./text-change.js";

/** Offers the only remedy of a finding, as `hasp check --fix` applies it. */
export const applyOwnFix: Offer = ({ project, document, finding }) => {
  const { fix, code } = finding;
  const source = [document, ...project.sources, project.config].find((each) => each?.uri === fix?.uri);
  const fixed = fix === undefined || source === undefined ? undefined : applyFix(source, fix);
  if (source === undefined || fixed === undefined) return [];
  return [{ title: `Fix ${code}`, finding, isPreferred: true, edit: { changes: [textChange(source, fixed.text)] } }];
};
