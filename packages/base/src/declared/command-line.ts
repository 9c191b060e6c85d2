interface CommandLine {
  /** The index of the program: the first word after `sudo -u root`, `timeout 5` and their like. */
  readonly start: number;
  /** The index of the `--` that ends the program's options; the number of words if that is uncertain. */
  readonly separator: number;
}

/** A program that runs the command after its own options, such as `sudo`. */
interface Wrapper {
  readonly plain: ReadonlySet<string>;
  readonly valued: ReadonlySet<string>;
  /** The number of words between its options and the command. */
  readonly operands: number;
  /** True if `NAME=value` may come before the command. */
  readonly assigns: boolean;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const wrapper = (plain: string, valued: string, more: Partial<Wrapper> = {}): Wrapper => ({
  plain: words(plain),
  valued: words(valued),
  operands: 0,
  assigns: false,
  ...more,
});

// prettier-ignore
const WRAPPERS: ReadonlyMap<string, Wrapper> = /* @__PURE__ */ new Map([
  ["sudo", wrapper("-A -b -B -E -H -k -n -N -P -S --askpass --background --non-interactive --preserve-env --set-home --stdin --reset-timestamp", "-u -g -h -p -C -D -R -T -U -r -t --user --group --host --prompt --chdir --chroot --close-from --command-timeout", { assigns: true })],
  ["doas", wrapper("-n", "-u -a -C")],
  ["pkexec", wrapper("--disable-internal-agent --keep-cwd", "--user")],
  ["runuser", wrapper("-p -m --preserve-environment", "-u -g -G --user --group --supp-group")],
  ["gosu", wrapper("", "", { operands: 1 })],
  ["su-exec", wrapper("", "", { operands: 1 })],
  ["env", wrapper("-i -0 -v --ignore-environment --null --debug --list-signal-handling", "-u -C --unset --chdir", { assigns: true })],
  ["timeout", wrapper("-f -p -v --foreground --preserve-status --verbose", "-s -k --signal --kill-after", { operands: 1 })],
  ["nice", wrapper("-0 -1 -2 -3 -4 -5 -6 -7 -8 -9", "-n --adjustment")],
  ["ionice", wrapper("-t --ignore", "-c -n --class --classdata")],
  ["chrt", wrapper("-a -b -f -i -o -r -v --batch --fifo --idle --other --rr", "-T -P -D", { operands: 1 })],
  ["taskset", wrapper("-a -c --cpu-list", "", { operands: 1 })],
  ["chroot", wrapper("--skip-chdir", "--userspec --groups", { operands: 1 })],
  ["flock", wrapper("-s -x -e -n -o -F -u --shared --exclusive --nonblock --close --no-fork --verbose", "-w -E --timeout --conflict-exit-code", { operands: 1 })],
  ["xargs", wrapper("-0 -o -p -r -t -x --null --open-tty --interactive --no-run-if-empty --verbose --exit", "-a -d -E -I -L -n -P -s --arg-file --delimiter --max-lines --max-args --max-procs --max-chars --replace")],
  ["stdbuf", wrapper("", "-i -o -e --input --output --error")],
  ["time", wrapper("-a -p -q -v -V --append --portability --quiet --verbose", "-f -o --format --output")],
  ["setsid", wrapper("-c -f -w --ctty --fork --wait", "")],
  ["caffeinate", wrapper("-d -i -m -s -u", "-t -w")],
  ["nohup", wrapper("", "")],
  ["unbuffer", wrapper("-p", "")],
  ["busybox", wrapper("", "")],
  ["command", wrapper("-p", "")],
]);

/** Programs whose `--` another program may read, each with the subcommand for which that is so. */
// prettier-ignore
const RUNNERS: ReadonlySet<string> = /* @__PURE__ */ words("kubectl oc docker podman nerdctl npm npx pnpm pnpx yarn bun bunx uv uvx pipx poetry pdm conda cargo go bundle ssh nsenter unshare firejail bwrap strace ltrace watch parallel systemd-run dotnet tini dumb-init dbus-run-session xvfb-run git\tbisect git\tsubmodule git\trebase");

/** Programs that take options after `--` as well. */
const WITHOUT_SEPARATOR: ReadonlySet<string> = /* @__PURE__ */ words("find dd test [ expr ffmpeg openssl java");

/** Finds the program that a command runs, and the `--` that ends this program's options. */
export function readCommandLine(argv: readonly string[]): CommandLine {
  const { start, isKnown } = skipWrappers(argv);
  const name = readProgramName(argv[start] ?? "");
  const own = argv.indexOf("--", start + 1);
  if (!isKnown || own === -1 || WITHOUT_SEPARATOR.has(name)) return { start, separator: argv.length };
  const isRunner = RUNNERS.has(name) || argv.slice(start + 1, own).some((word) => RUNNERS.has(`${name}\t${word}`));
  if (isRunner) return { start, separator: own + 1 + readCommandLine(argv.slice(own + 1)).separator };
  const lastValue = argv.findLastIndex(isValue);
  return { start, separator: lastValue < own ? own : separatorBefore(argv, lastValue) };
}

/** Finds the `--` after which only values come. Any other word may be a program with options of its own. */
function separatorBefore(argv: readonly string[], lastValue: number): number {
  const before = argv.slice(0, lastValue).findLastIndex((word) => !isValue(word));
  return argv[before] === "--" ? before : argv.length;
}

function isValue(word: string): boolean {
  return word.startsWith("{") || word.startsWith("\0");
}

/** Returns the name of a program, without its folder and `.exe`. */
export function readProgramName(path: string): string {
  return (path.split(/[\\/]/u).at(-1) ?? "").replace(/\.exe$/iu, "");
}

/** Skips programs that run the command after them; `isKnown` is false after an option that no table has. */
function skipWrappers(argv: readonly string[]): { readonly start: number; readonly isKnown: boolean } {
  let start = 0;
  let isKnown = true;
  for (let found = wrapperAt(argv, start); found !== undefined; found = wrapperAt(argv, start)) {
    for (start += 1; argv[start]?.startsWith("-") === true; start += 1) {
      const word = argv[start] ?? "";
      if (word === "--") {
        start += 1;
        break;
      }
      const takesNext = takesNextWord(word, found);
      if (takesNext === true) start += 1;
      else if (takesNext === undefined) isKnown = false;
    }
    // A call's value may be the assigned value, never the name: that could be `LD_PRELOAD`.
    while (found.assigns && /^[^=\0{]+=/u.test(argv[start] ?? "")) start += 1;
    start = Math.min(start + found.operands, argv.length);
  }
  return { start, isKnown };
}

function wrapperAt(argv: readonly string[], index: number): Wrapper | undefined {
  return WRAPPERS.get(readProgramName(argv[index] ?? ""));
}

function takesNextWord(word: string, { plain, valued }: Wrapper): boolean | undefined {
  const name = word.replace(/=.*/su, "");
  if (valued.has(name)) return name === word;
  if (plain.has(name)) return false;
  if (word.startsWith("--")) return undefined;
  for (const [index, letter] of [...word].entries()) {
    if (index === 0 || plain.has(`-${letter}`)) continue;
    return valued.has(`-${letter}`) ? index === word.length - 1 : undefined;
  }
  return false;
}
