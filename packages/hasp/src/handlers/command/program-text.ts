/** How a program is given a text that it runs. */
interface Interpreter {
  /** The options before such a text. */
  readonly options: RegExp;
  readonly isShell?: true;
  /** Where the first word that is not an option is such a text: the options that take a word, and those that name a file instead. */
  readonly first?: { readonly valued: RegExp; readonly unless: RegExp };
}

const SHELL: Interpreter = { options: /^(?:-[a-z]*c[a-z]*|\/[ck]|-(?:encoded)?command|-ec?)$/iu, isShell: true };
const SCRIPT: Interpreter = { options: /^(?:-[a-z]*[cepr]|--eval|--print|--execute|eval)$/iu };
// Their little languages start programs and write files: awk's `system`, GNU sed's `e` and `w`.
const EDITOR: Interpreter = {
  options: /^(?:-[a-z]*e|--expression|--source)$/iu,
  first: { valued: /^-[Fvl]$/u, unless: /^(?:-f|--file)/u },
};

/** Programs that run a text, by their names. */
export const INTERPRETERS: ReadonlyMap<string, Interpreter> = new Map(
  (
    [
      ["sh bash zsh dash ash ksh mksh fish tcsh csh cmd powershell pwsh", SHELL],
      ["python node deno bun ruby perl php lua osascript tclsh rscript", SCRIPT],
      ["awk gawk mawk nawk sed", EDITOR],
    ] as const
  ).flatMap(([names, interpreter]) => names.split(" ").map((name) => [name, interpreter] as const)),
);

/** A text among a program's words that the program runs. */
export interface ProgramText {
  /** The program's name, without its folder. */
  readonly program: string;
  readonly isShell: boolean;
  /** The word that announces the text; the program itself if none does. */
  readonly after: string;
  /** The index of the text among the words. */
  readonly at: number;
}

/** Finds the texts that a program runs, by the program's name or path. */
export function programTextsIn(path: string, words: readonly string[]): readonly ProgramText[] {
  const program = (path.split(/[\\/]/u).at(-1) ?? "").replace(/\.exe$/iu, "");
  // A name may end with a version: `python3.12`.
  const interpreter = INTERPRETERS.get(program.toLowerCase().replace(/[\d.]+$/u, ""));
  if (interpreter === undefined) return [];
  const { options, isShell = false } = interpreter;
  const found = words.flatMap((word, index) =>
    options.test(word) ? [{ program, isShell, after: word, at: index + 1 }] : [],
  );
  const at = found.length > 0 ? -1 : firstText(interpreter, words);
  return at === -1 ? found : [{ program, isShell, after: program, at }];
}

function firstText({ first }: Interpreter, words: readonly string[]): number {
  if (first === undefined || words.some((word) => first.unless.test(word))) return -1;
  return words.findIndex((word, index) => !word.startsWith("-") && !first.valued.test(words[index - 1] ?? ""));
}
