import { defineDiagnostics, type DiagnosticFactory } from "@hasp/base/diagnostics";

const definitions = {
  "no-store-named": {
    message: "No call store is configured.",
    help: 'Add "callStore: { files: .hasp/calls }" or "callStore: { postgres: { env: DATABASE_URL } }" to the configuration, or name it with --store files=<folder> or --store postgres=<variable>. Turns of @hasp/stores/dbos are in no call store: their host lists questions with turns.questions() and answers with turns.answer().',
  },
  "bad-store":
    "--store takes files=<folder>, module=<file#export>, or postgres=<variable> with the name of an environment variable.",
  "no-store": {
    message: {
      folder: 'There is no call store at "{path}".',
      database: "The database that {variable} names has no call store.",
    },
    help: "A dispatcher creates its call store when it runs its first turn.",
  },
  "no-address": {
    message: {
      unset: "The environment variable {variable} is not set.",
      other: "{variable} must contain an address that begins with postgres://.",
    },
    help: "The variable contains the address of the database, so that no secret is in the configuration or on the command line.",
  },
  "package-missing": {
    message: "A call store in Postgres needs the package pg, which is not installed.",
    help: "Run `npm install pg`.",
  },
  "store-fails": "The call store cannot be used: {reason}.",
  "damaged-turn": {
    message: "{place} was damaged, or changed by hand: it is not listed, and nothing that depends on it runs.",
    help: "Find out what the calls of the turn have done. Then restore it from a backup, or remove it: {remedy}. A removed turn counts as new, so its calls may run again.",
  },
  "unreadable-turn": "A turn cannot be read, so it is not listed: {reason}.",
  "no-decision": "Pass the answer: --allow or --deny.",
  "no-input": "The input of the answer cannot be used: {reason}",
  "unknown-question": {
    message: {
      none: 'There is no question "{id}".',
      short: '"{id}" is too short for the beginning of a question\'s id: pass at least {least} characters.',
    },
    help: '"hasp calls" lists the questions that wait.',
  },
  "ambiguous-question": {
    message: 'Several question ids begin with "{id}": {ids:list}.',
    help: "Enter more of the id.",
  },
  "not-accepted": {
    message: {
      "already-decided": "The answer came too late: the question about {tool} has already been decided.",
      expired: "The answer came too late: the question about {tool} has expired.",
      "not-judgeable": "Nobody can allow the call of {tool}: its question does not show the whole input.",
      "not-permitted": "Only {principal} may answer the question about {tool}; {by} may not.",
      "unknown-question": "The question about {tool} no longer exists.",
    },
    help: "{remedy:optional}",
  },
  "unknown-external": {
    message: 'No call "{id}" waits for somebody who executes it.',
    help: '"hasp calls" lists the calls that wait.',
  },
  "ambiguous-external": {
    message: 'Several calls that wait begin with "{id}": {ids:list}.',
    help: "Enter more of the id.",
  },
  "no-completion": "Pass either --respond with what the call returned, or --error with the reason why it failed.",
  "not-completed": {
    message: {
      "too-late": "The call of {tool} was completed already, or has ended.",
      expired: "The completion came too late: the call of {tool} has timed out.",
    },
  },
  "file-or-records":
    "--head is the end that a file should have, so it needs a file; --only and --store select records to print, so they take none.",
  "no-records": '"{path}" contains no records, so there is nothing to verify.',
  "line-not-a-record": "{path}:{line} is not a record of `hasp calls audit`.",
  "line-changed": "{path}:{line} was changed: its digest does not match its text.",
  "line-missing": {
    message: {
      start: "{path}:{line} is not the first record that was printed: earlier records are missing.",
      between: "{path}:{line} does not follow the record before it: a record was removed, inserted or moved.",
    },
  },
  "end-missing": "{path} does not end with the record {head}: its end is missing, or the file was rewritten.",
} as const;

export const callsDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("calls", definitions);
