import type { FlatTool } from "@hasp/compiler";
import { isAskedAnyway } from "@hasp/compiler/model";
import { reporting, spec, defineRule, type Rule } from "@hasp/compiler/plugin";
import { splitName } from "../reading/program-words.js";
import { listProgramFields } from "../reading/program-fields.js";

export const constantReadOnlyProgram: Rule = defineRule({
  id: "safety/constant-read-only-program",
  severity: "warning",
  summary: "A tool that runs programs is READ_ONLY for every input only if it says how that is enforced.",
  why:
    "The model writes the program and so decides what it does. A constant READ_ONLY lets it run in parallel, " +
    "be retried and count as harmless, so something outside the input must enforce it: a read-only transaction, a read-only role, a sandbox.",
  messages: {
    "runs-anything":
      '"{field}" is a program that the model writes, and {claim} applies to all of them. Enforce it in the handler and say so with hasp-ignore and a reason, or decide by the input in rules.',
  },
  examples: {
    bad: [
      reporting("runs-anything")`
        name: query_database
        description: Run one SQL statement against the database.
        input:
          type: object
          required: [sql]
          properties: { sql: { type: string, description: The statement. } }
        concurrency: { class: READ_ONLY }
      `,
    ],
    good: [
      spec`
        name: query_database
        description: Run one SQL statement against the database.
        input:
          type: object
          required: [sql]
          properties: { sql: { type: string, description: The statement. } }
        # hasp-ignore safety/constant-read-only-program -- the handler's role may only select, in a READ ONLY transaction
        concurrency: { class: READ_ONLY }
      `,
      spec`
        name: search_documents
        description: Search documents by keywords.
        input: { type: object, required: [query], properties: { query: { type: string, description: Words to search for. } } }
        concurrency: { class: READ_ONLY }
      `,
    ],
  },
  checkTool(tool, { report }) {
    const { spec } = tool;
    const claim =
      spec.concurrency?.class === "READ_ONLY"
        ? ({ words: "class: READ_ONLY", pointer: "/concurrency/class" } as const)
        : spec.behavior?.isReadOnly === true
          ? ({ words: "isReadOnly: true", pointer: "/behavior/isReadOnly" } as const)
          : undefined;
    if (claim === undefined) return;
    const [field] = listProgramFields(tool, "likely");
    if (field === undefined) return;
    const related = [{ location: tool.input.locate(field.pointer, "key"), message: "the program" }];
    report(
      "runs-anything",
      { location: tool.locate(claim.pointer), related },
      { field: field.name, claim: claim.words },
    );
  },
});

export const permissionWithoutEffect: Rule = defineRule({
  id: "safety/permission-without-effect",
  severity: "warning",
  summary: "A tool claims `requiresPermission: false` only if some call is not destructive.",
  why:
    "A destructive call runs only when somebody allows it, whatever the tool says about permission. If every call is " +
    "destructive, the claim only misleads, and it would take effect unnoticed when the other flag changes.",
  messages: {
    "no-effect":
      "Every call of this tool is destructive, so the user is asked anyway. Remove the claim, or state that the tool is not destructive.",
  },
  examples: {
    bad: [
      reporting("no-effect")`
        name: send_message
        description: Send.
        input: { type: object, properties: {} }
        behavior: { requiresPermission: false }
      `,
    ],
    good: [
      spec`
        name: add_note
        description: Add.
        input: { type: object, properties: {} }
        behavior: { requiresPermission: false, isDestructive: false }
      `,
      spec`
        name: call_api
        description: Call an API.
        input: { type: object, required: [method], properties: { method: { enum: [GET, POST] } } }
        concurrency: { rules: [{ when: "input.method == 'GET'", class: READ_ONLY }] }
        behavior: { requiresPermission: false }
      `,
    ],
  },
  checkTool(tool, { report }) {
    if (isAskedAnyway(tool)) report("no-effect", { location: tool.locate("/behavior/requiresPermission") });
  },
});

const DESTROYING = new Set("delete destroy drop erase kill overwrite purge remove shred truncate wipe".split(" "));
/** Verbs of tools that change something, without those that may also mean computing a value, such as `add`. */
const CHANGING = new Set(
  "assign create delete destroy disable enable erase insert install kill patch publish purge rename send submit update upload wipe write".split(
    " ",
  ),
);

export const nameContradictsClaim: Rule = defineRule({
  id: "safety/name-contradicts-claim",
  severity: "warning",
  summary: "A tool that is named after a change does not claim that it changes nothing.",
  why:
    "A claim copied from another spec, or suggested by an importer, looks like any other in a review. The verb of the name is " +
    "a second opinion: `delete_branch` that is not destructive, or `update_user` that only reads, is nearly always a mistake, and lets a " +
    "change run without asking, in parallel, or twice.",
  messages: {
    "not-destructive":
      '"{name}" says "{verb}" and claims {claim}. Remove the claim, or rename the tool if nothing is lost.',
    "not-changing": '"{name}" says "{verb}" and claims {claim}. Remove the claim, or rename the tool if it only reads.',
  },
  examples: {
    bad: [
      reporting("not-destructive")`
        name: delete_branch
        description: Delete a branch.
        input: { type: object, properties: {} }
        behavior: { isDestructive: false }
      `,
      reporting("not-changing")`
        name: users-update
        description: Update a user.
        input: { type: object, properties: {} }
        concurrency: { class: READ_ONLY }
      `,
    ],
    good: [
      spec`
        name: delete_branch
        description: Delete a branch.
        input: { type: object, required: [dryRun], properties: { dryRun: { type: boolean } } }
        concurrency: { rules: [{ when: input.dryRun, class: READ_ONLY }] }
      `,
      spec`
        name: list_deleted_files
        description: List deleted files.
        input: { type: object, properties: {} }
        concurrency: { class: READ_ONLY }
      `,
      spec`
        name: add_numbers
        description: Add numbers.
        input: { type: object, properties: {} }
        concurrency: { class: READ_ONLY }
      `,
    ],
  },
  checkTool(tool, { report }) {
    const verb = findVerb(tool.name);
    if (verb === undefined) return;
    const read = readingClaim(tool);
    if (read !== undefined && CHANGING.has(verb)) {
      report("not-changing", { location: tool.locate(read.pointer) }, { name: tool.name, verb, claim: read.words });
    } else if (DESTROYING.has(verb) && tool.spec.behavior?.isDestructive === false) {
      const location = tool.locate("/behavior/isDestructive");
      report("not-destructive", { location }, { name: tool.name, verb, claim: "isDestructive: false" });
    }
  },
});

function readingClaim({ spec }: FlatTool): { readonly words: string; readonly pointer: string } | undefined {
  if (spec.concurrency?.class === "READ_ONLY") return { words: "class: READ_ONLY", pointer: "/concurrency/class" };
  return spec.behavior?.isReadOnly === true
    ? { words: "isReadOnly: true", pointer: "/behavior/isReadOnly" }
    : undefined;
}

/** Returns the verb of a name that implies a change: its first word or its last (`users-update`). */
function findVerb(name: string): string | undefined {
  const words = splitName(name);
  const isVerb = (word = ""): boolean => DESTROYING.has(word) || CHANGING.has(word);
  const [first] = words;
  if (isVerb(first)) return first;
  // After a reading verb, the same words are nouns: get_publish, preview_update.
  const last = words.at(-1);
  return words.length === 2 && isVerb(last) && !READING.has(first ?? "") ? last : undefined;
}

const READING = new Set(
  "check compare count describe diff estimate explain fetch find get inspect list look peek plan preview query read search show simulate summarize test validate verify view watch".split(
    " ",
  ),
);
