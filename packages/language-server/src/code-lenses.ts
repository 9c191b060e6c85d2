import { toolClaims } from "../../compiler/src/ledger/index.js";
import type { SourceText } from "../../compiler/src/model/document.js";
import { pluralize } from "../../compiler/src/text/words.js";
import { promptTokens } from "../../compiler/src/tokens/prompt-tokens.js";
import { listTools } from "./place.js";
import { type FileSpan, type LanguageProject, readProjectApprovals } from "./language-project.js";

interface CodeLens {
  readonly span: FileSpan;
  readonly title: string;
  readonly tool: string;
}

export function listCodeLenses(project: LanguageProject, document: SourceText): readonly CodeLens[] {
  const { compiled } = project;
  if (compiled === undefined) return [];
  const approvals = readProjectApprovals(project, compiled);
  return listTools(document, project).map((tool) => {
    const { uri, range } = tool.locate("/name", "key");
    const open = toolClaims([tool], approvals).filter(({ state }) => state !== "approved").length;
    const facts = [
      tool.worstCase.class,
      `${promptTokens(tool, compiled.plan)} tokens`,
      pluralize(tool.spec.tests?.length ?? 0, "test"),
      ...(tool.relaxations.length === 0 ? [] : [pluralize(tool.relaxations.length, "claim")]),
      ...(open === 0 ? [] : [`${open} not approved`]),
    ];
    return {
      span: { uri, start: range.start.offset, end: range.end.offset },
      title: facts.join(" · "),
      tool: tool.name,
    };
  });
}
