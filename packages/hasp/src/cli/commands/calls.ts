import { attempt, type Diagnostic, pluralize, printThrown, printVisibleText } from "@hasp/base/diagnostics";
import type { JsonValue } from "@hasp/base/json";
import { userInfo } from "node:os";
import type { AnswerOutcome, CallStore, Question, StoredTurns } from "@hasp/runtime/call-store";
import { readProperty } from "@hasp/runtime/internal";
import { InvalidArgumentError, Option } from "commander";
import { createQuestionData, printQuestionList } from "@hasp/report";
import { serveDiagnostics } from "@hasp/serve";
import { callsDiagnostics, createTurns, type Damage, listExternals, type StoredExternal } from "@hasp/serve/calls";
import { readOutput } from "../calls/read-output.js";
import { audit } from "../calls/audit.js";
import { type CommandResult, type Invocation, refuse } from "../shell/command.js";
import { readJsonWord } from "../shell/options.js";
import { declareSelector, type Selector } from "../shell/selector.js";
import type { CommandGroup, Verb } from "../shell/verbs.js";
import { declareStoreOption, type StoreOption } from "../project/store-option.js";
import { useCallStore } from "../calls/use-call-store.js";

/** The shortest accepted prefix of an id; a shorter one is probably a typo. */
const SHORTEST_BEGINNING = 6;

interface AnswerOptions extends StoreOption {
  readonly allow?: boolean;
  readonly deny?: boolean;
  readonly reason?: string;
  readonly by?: string;
  readonly input?: string;
}

const answer: Verb = {
  summary: "Answer a question that waits.",
  configure(command) {
    declareStoreOption(command.argument("<question>", "the id of a question, or the beginning of it"))
      .addOption(new Option("--allow", "let the call run").conflicts("deny"))
      .addOption(new Option("--deny", "refuse the call").conflicts("allow"))
      .option("--reason <text>", "the reason; the model reads it if the call is refused")
      .option("--input <JSON or file>", "let the call run with this input instead; needs --allow")
      .option("--by <name>", "who answers. Default: the user of the operating system", somebody);
  },
  run: async (invocation: Invocation<AnswerOptions>) => {
    const { allow, deny } = invocation.options;
    if (allow !== true && deny !== true) return refuse(callsDiagnostics("no-decision"));
    return useCallStore(invocation, (store, damage) => answerQuestion(store, damage, invocation));
  },
};

interface CompleteOptions extends StoreOption {
  readonly respond?: string;
  readonly error?: string;
}

const complete: Verb = {
  summary: "Complete a call that somebody else has executed.",
  configure(command) {
    declareStoreOption(command.argument("<call>", "the id of a call that waits, or the beginning of it"))
      .addOption(new Option("--respond <JSON or file>", "what the call returned").conflicts("error"))
      .option("--error <text>", "the reason why it failed, which the model reads");
  },
  run: async (invocation: Invocation<CompleteOptions>) => {
    const { options, folder } = invocation;
    const { respond, error } = options;
    if (respond === undefined && error === undefined) return refuse(callsDiagnostics("no-completion"));
    const given = respond === undefined ? { error: error ?? "" } : await readOutput(respond, folder);
    if ("code" in given) return refuse(given);
    return useCallStore(invocation, (store, damage) => completeExternal(store, damage, given, invocation));
  },
};

interface CallsOptions extends StoreOption {
  readonly only?: Selector;
}

const list: Verb = {
  summary:
    "List the questions that wait for an answer, and the calls that wait for somebody who executes them (the default).",
  isDefault: true,
  configure(command) {
    declareStoreOption(command).addOption(
      declareSelector("questions", { turn: "<id>", tool: "<name>", principal: "<name>" }),
    );
  },
  run: listQuestions,
};

export const calls: CommandGroup = { verbs: { list, answer, complete, audit } };

/** Lists the questions that wait for an answer. */
async function listQuestions(invocation: Invocation<CallsOptions>): Promise<CommandResult> {
  const { turn, tool, principal } = invocation.options.only ?? {};
  return useCallStore(invocation, async (store, { onDamage, findings }) => {
    const isChosen = (waiting: Pick<Question, "turnId" | "toolName" | "principal">): boolean =>
      turn?.includes(waiting.turnId) !== false &&
      tool?.includes(waiting.toolName) !== false &&
      principal?.includes(waiting.principal ?? "") !== false;
    // The store keeps the calls of a program as turns of their own.
    const questions = (await store.questions({ isOpen: true, onDamage })).filter(isChosen);
    // The list of questions has reported what is damaged.
    const externals = (await listExternals(store, { onDamage: () => undefined })).filter(isChosen);
    const now = Date.now();
    const asked =
      questions.length === 0 ? "No questions are waiting.\n" : printQuestionList(questions, now, invocation.terminal);
    const hints = [
      ...(questions.length === 0
        ? []
        : [
            `${pluralize(questions.length, "question")}. To answer one: hasp calls answer <question> --allow, or --deny --reason "…".`,
          ]),
      ...(externals.length === 0
        ? []
        : [
            `${pluralize(externals.length, "call")} that somebody else executes. To complete one: hasp calls complete <call> --respond …, or --error "…".`,
          ]),
    ];
    return {
      diagnostics: findings,
      product: `${asked}${externals.map(printExternal).join("")}`,
      data: { questions: createQuestionData(questions, now), externals: externals.map((call) => ({ ...call })) },
      summary: { questions: questions.length, externals: externals.length },
      ...(hints.length > 0 && { text: `${hints.join("\n")}\n` }),
    };
  });
}

function printExternal({ id, toolName, principal, expiresAt = "" }: StoredExternal): string {
  const parts = [id, toolName, expiresAt, principal ?? ""].map((part) => printVisibleText(part));
  return `${parts.join("  ").trimEnd()}\n`;
}

async function completeExternal(
  store: CallStore,
  { onDamage, findings }: Damage,
  completion: Parameters<StoredTurns["complete"]>[1],
  { words: [word = ""] }: Invocation<CompleteOptions>,
): Promise<CommandResult> {
  const waiting = await listExternals(store, { onDamage });
  const matches = waiting.filter(({ id }) => id === word || (word.length >= SHORTEST_BEGINNING && id.startsWith(word)));
  const [call] = matches;
  if (call === undefined) return refuse(callsDiagnostics("unknown-external", undefined, { id: word }), ...findings);
  if (matches.length > 1) {
    const ids = matches.slice(0, 5).map(({ id }) => id);
    return refuse(callsDiagnostics("ambiguous-external", undefined, { id: word, ids }), ...findings);
  }
  const { id, turnId, toolName, principal } = call;
  let outcome: Awaited<ReturnType<StoredTurns["complete"]>>;
  try {
    outcome = await createTurns(store).complete(id, completion, { principal });
  } catch (error) {
    return refuse(serveDiagnostics("output-unreadable", undefined, { reason: invalidAnswer(error) }), ...findings);
  }
  const data = { completion: { call: id, turn: turnId, tool: toolName, accepted: outcome.accepted } };
  if (!outcome.accepted) {
    const variant = outcome.reason === "expired" ? "expired" : "too-late";
    return { diagnostics: [callsDiagnostics("not-completed", undefined, { variant, tool: toolName })], data };
  }
  const turn = printVisibleText(turnId);
  return {
    diagnostics: [],
    data,
    text: `Completed: ${printVisibleText(toolName)}. The turn goes on when the host resumes it: ${turn}\n`,
  };
}

/** Reads the person's name for the record. A script's variable may be empty. */
function somebody(name: string): string {
  if (name.trim() === "") throw new InvalidArgumentError("It must name somebody.");
  return name;
}

/** Reads the input that an answer gives: JSON, or the name of a file of it. */
async function readGivenInput(given: string, folder: string): Promise<{ readonly input: JsonValue } | Diagnostic> {
  const read = await readJsonWord(given, folder);
  if (!("text" in read)) return read;
  try {
    return { input: JSON.parse(read.text) as JsonValue };
  } catch (error) {
    return callsDiagnostics("no-input", undefined, { reason: printThrown(error) });
  }
}

async function answerQuestion(
  store: CallStore,
  damage: Damage,
  { words: [word = ""], options, folder }: Invocation<AnswerOptions>,
): Promise<CommandResult> {
  const found = await findQuestion(store, word, damage);
  if ("code" in found) return refuse(found, ...damage.findings);
  const { id, toolName, turnId } = found;
  const { reason, by = userName() } = options;
  const decision = options.allow === true ? "allow" : "deny";
  const given = options.input === undefined ? undefined : await readGivenInput(options.input, folder);
  if (given !== undefined && "code" in given) return refuse(given, ...damage.findings);
  let outcome: AnswerOutcome;
  try {
    outcome = await createTurns(store).answer(id, { decision, reason, by, ...given });
  } catch (error) {
    return refuse(callsDiagnostics("no-input", undefined, { reason: invalidAnswer(error) }), ...damage.findings);
  }
  const data = { answer: { question: id, turn: turnId, tool: toolName, decision, by, accepted: outcome.accepted } };
  if (!outcome.accepted) return { diagnostics: [notAccepted(found, outcome.reason, by)], data };
  const done = decision === "allow" ? "Allowed" : "Refused";
  return {
    diagnostics: [],
    data,
    text: `${done}: ${printVisibleText(toolName)}. The turn goes on when the host resumes it: ${printVisibleText(turnId)}\n`,
  };
}

/** Returns the reason for which a store refuses what a person gave. Throws any other error again. */
function invalidAnswer(error: unknown): string {
  if (!(error instanceof TypeError) || readProperty(error, "code") !== "invalid-answer") throw error;
  return error.message;
}

/** Finds the question with this id, or the only one whose id begins with the word. */
async function findQuestion(store: CallStore, word: string, { onDamage }: Damage): Promise<Question | Diagnostic> {
  const [exact] = await store.questions({ id: word });
  if (exact !== undefined) return exact;
  if (word.length < SHORTEST_BEGINNING) {
    return callsDiagnostics("unknown-question", undefined, { variant: "short", id: word, least: SHORTEST_BEGINNING });
  }
  const matches = (await store.questions({ onDamage })).filter(({ id }) => id.startsWith(word));
  const [only] = matches;
  if (only === undefined) return callsDiagnostics("unknown-question", undefined, { variant: "none", id: word });
  if (matches.length === 1) return only;
  const ids = matches.slice(0, 5).map(({ id }) => id);
  return callsDiagnostics("ambiguous-question", undefined, { id: word, ids });
}

/** Returns the operating system's name or number for the user. */
function userName(): string {
  return attempt(() => userInfo().username) ?? `uid ${String(process.getuid?.())}`;
}

type Declined = Extract<AnswerOutcome, { readonly accepted: false }>["reason"];

function notAccepted({ toolName: tool, principal }: Question, reason: Declined, by: string): Diagnostic {
  const isHidden = reason === "not-judgeable";
  const isForPrincipal = reason === "not-permitted" && principal !== undefined;
  return callsDiagnostics("not-accepted", undefined, {
    tool,
    by,
    variant: reason,
    principal: principal ?? "somebody else",
    remedy: isHidden
      ? "Refuse it with --deny. The host can let people allow hidden fields: allowUnseenInput."
      : isForPrincipal
        ? `If you answer for them: --by ${principal}`
        : undefined,
  });
}
