import type { SourceText } from "../../../compiler/src/model/document.js";
import type { FeaturePlace } from "./place.js";

/** Lists files that may contain names: compiled ones, the configuration, and the open document. */
export function projectFiles({ project, document }: FeaturePlace): readonly SourceText[] {
  const files = [...project.sources, ...(project.config === undefined ? [] : [project.config])];
  return files.some(({ uri }) => uri === document.uri) ? files : [...files, document];
}
