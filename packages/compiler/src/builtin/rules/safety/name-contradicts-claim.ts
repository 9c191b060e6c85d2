import type { FlatTool } from "../../../model/tool.js";
import { yaml } from "../reading/example-spec.js";
import { splitName } from "../reading/program-words.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

const DESTROYING = new Set("delete destroy drop erase kill overwrite purge remove shred truncate wipe".split(" "));
/** Verbs of tools that change something; none that also means computing a value, such as `add`. */
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
      {
        spec: yaml`
          hasp: 1
          name: delete_branch
          description: Delete a branch.
          input: { type: object, properties: {} }
          behavior: { isDestructive: false }
        `,
        reports: ["not-destructive"],
      },
      {
        spec: yaml`
          hasp: 1
          name: users-update
          description: Update a user.
          input: { type: object, properties: {} }
          concurrency: { class: READ_ONLY }
        `,
        reports: ["not-changing"],
      },
    ],
    good: [
      yaml`
        hasp: 1
        name: delete_branch
        description: Delete a branch.
        input: { type: object, required: [dryRun], properties: { dryRun: { type: boolean } } }
        concurrency: { rules: [{ when: input.dryRun, class: READ_ONLY }] }
      `,
      yaml`
        hasp: 1
        name: list_deleted_files
        description: List deleted files.
        input: { type: object, properties: {} }
        concurrency: { class: READ_ONLY }
      `,
      yaml`
        hasp: 1
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
