import { defineDiagnostics, type DiagnosticFactory } from "../diagnostics/define-diagnostics.js";

const definitions = {
  "no-store-named": {
    severity: "error",
    message: "Nothing says where the calls are kept.",
    help: 'Add "callStore: { files: .hasp/calls }" or "callStore: { postgres: { env: DATABASE_URL } }" to the configuration, or name it with --store files=<folder> or --store postgres=<variable>.',
  },
  "bad-store": {
    severity: "error",
    message: "--store takes files=<folder>, or postgres=<variable> with the name of an environment variable.",
  },
  "no-store": {
    severity: "error",
    message: {
      folder: 'There is no call store at "{path}".',
      database: "The database of {variable} has no call store.",
    },
    help: "A call store is set up by the first turn that a dispatcher runs with it.",
  },
  "no-address": {
    severity: "error",
    message: {
      unset: "The environment variable {variable} is not set.",
      other: "{variable} must hold an address that begins with postgres://.",
    },
    help: "It holds the address of the database. Secrets stand neither in the configuration nor on the command line.",
  },
  "package-missing": {
    severity: "error",
    message: "The call store is a Postgres database, and the project has not installed pg.",
    help: "npm install pg",
  },
  "store-fails": {
    severity: "error",
    message: "The call store cannot be used: {reason}.",
  },
  "no-decision": {
    severity: "error",
    message: "Say what the answer is: --allow or --deny.",
  },
  "unknown-question": {
    severity: "error",
    message: 'There is no question "{id}".',
    help: '"hasp pending" lists the questions that wait.',
  },
  "ambiguous-question": {
    severity: "error",
    message: 'Several questions begin with "{id}": {ids:list}.',
    help: "Give more digits.",
  },
  "not-accepted": {
    severity: "error",
    message: {
      "already-decided": "The answer came too late: the question about {tool} is decided.",
      expired: "The answer came too late: the question about {tool} has expired.",
      "not-permitted": "The question about {tool} takes the answer of {principal} alone, and not of {by}.",
      "unknown-question": "The question about {tool} is gone.",
    },
    help: "{remedy:optional}",
  },
  "no-records": {
    severity: "error",
    message: '"{path}" holds no record: there is nothing to verify.',
  },
  "line-not-a-record": {
    severity: "error",
    message: "{path}:{line} is no record of `hasp audit`.",
  },
  "line-changed": {
    severity: "error",
    message: "{path}:{line} is not what was printed: its digest differs.",
  },
  "line-missing": {
    severity: "error",
    message: {
      start: "{path}:{line} is not the first record that was printed: what stood before it is gone.",
      between:
        "{path}:{line} did not follow the record before it: something between them is gone, was put in or moved.",
    },
  },
  "end-missing": {
    severity: "error",
    message: "{path} does not end with the record {head}: the end is gone, or the file was written anew.",
  },
} as const;

/** What the commands may find that read a call store, or records of it. */
export const callsDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("calls", definitions);
