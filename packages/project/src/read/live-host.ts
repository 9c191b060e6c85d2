import { readWholePlan } from "./read-plan.js";
import type { SourceText } from "@hasp/compiler";
import { createCompilerHost } from "./compiler-host.js";
import type { CompilerHost, HostQuestion, HostQuestions } from "./host-questions.js";
import { SPEC_FILE } from "./file-names.js";

/** The files of a project as an editor sees them: open documents hide the files below them, and answers are kept. */
export interface LiveHost extends CompilerHost {
  /** The questions of the last compilation, whose answers are kept. */
  readonly questions: readonly HostQuestion[];
  /** Shows a text in place of the file at a path, while there is such a file; `undefined` shows the file. */
  overlay(path: string, text: string | undefined): void;
  /** Drops the answers about a path, or all answers if the path is unknown. */
  invalidate(path?: string): void;
  /** Begins a compilation: drops the answers that the one before did not need. */
  begin(): void;
}

interface KeptAnswer {
  readonly question: HostQuestion;
  readonly answer: Promise<unknown>;
  isUsed: boolean;
}

/** Creates a {@link LiveHost}. It keeps answers only while `isWatched` says that changes on disk are reported to it. */
export function createLiveHost(root: string, isWatched: () => boolean): LiveHost {
  const disk = createCompilerHost(root);
  const overlays = new Map<string, string>();
  const shown = new Map<string, SourceText>();
  let kept = new Map<string, KeptAnswer>();

  const overlaid = (source: SourceText | undefined): SourceText | undefined => {
    const text = source && overlays.get(source.uri);
    if (source === undefined || text === undefined) return source;
    const { uri, role } = source;
    const before = shown.get(uri);
    if (before?.text === text && before.role === role) return before;
    const now: SourceText = { uri, role, text };
    shown.set(uri, now);
    return now;
  };
  const answer = async <Kind extends HostQuestion["kind"]>(
    kind: Kind,
    question: HostQuestions[Kind]["question"],
  ): Promise<unknown> =>
    kind === "plan"
      ? readWholePlan(root, host, question as HostQuestions["plan"]["question"])
      : disk.ask(kind, question);
  const host: LiveHost = {
    get questions() {
      return [...kept.values()].map(({ question }) => question);
    },
    async ask(kind, question) {
      const key = JSON.stringify([kind, question]);
      let known = isWatched() ? kept.get(key) : undefined;
      // The parameters and the type agree for each kind.
      known ??= { question: { kind, question } as HostQuestion, answer: answer(kind, question), isUsed: true };
      known.isUsed = true;
      kept.set(key, known);
      const given = await known.answer.catch((error: unknown) => {
        kept.delete(key);
        throw error;
      });
      const seen = kind === "text" ? overlaid(given as SourceText | undefined) : given;
      return seen as HostQuestions[typeof kind]["answer"];
    },
    overlay(path, text) {
      if (text === overlays.get(path)) return;
      if (text !== undefined) overlays.set(path, text);
      else {
        overlays.delete(path);
        shown.delete(path);
      }
      // Only a spec is certainly not part of the configuration.
      if (!SPEC_FILE.test(path)) forget(({ kind }) => kind === "plan");
    },
    invalidate(path) {
      forget(({ kind, question }) => {
        if (path === undefined || kind !== "text") return true;
        return question.uri === path || question.uri.startsWith(`${path}/`);
      });
    },
    begin() {
      kept = new Map([...kept].filter(([, { isUsed }]) => isUsed));
      for (const each of kept.values()) each.isUsed = false;
    },
  };
  const forget = (isStale: (question: HostQuestion) => boolean): void => {
    for (const [key, { question }] of kept) if (isStale(question)) kept.delete(key);
  };
  return host;
}
