import { reporting, spec, defineRule, type Rule } from "@hasp/compiler/plugin";

const WHEN =
  /\b(?:use (?:it|this|me|for|when|to|if|after|before|only|instead)|used? (?:to|for|when|by)|useful|when(?:ever)?\b|call (?:it|this)|for (?:\w+ing|look)|helpful|ideal|best for|prefer|intended|lets? you|allows?|needed|must be (?:called|used)|should be (?:called|used)|before|after|if (?:you|the))/iu;

export const whenToUse: Rule = defineRule({
  id: "description/when-to-use",
  severity: "info",
  summary: "A description says when to use the tool, or when not to.",
  why:
    "A model chooses among all tools of a request by their descriptions. What a tool does is only half of what the model needs; the other half is " +
    "when to use it.",
  messages: {
    neither:
      'Nothing tells a model when to use "{name}" or when not to; add a sentence such as "Use it to …" or "Do not use it for …".',
  },
  examples: {
    bad: [
      reporting("neither")`
        name: get_user
        description: Returns the user record.
        input: { type: object, properties: {} }
      `,
    ],
    good: [
      spec`
        name: get_user
        description: Returns the user record. Use it to find an address before sending mail.
        input: { type: object, properties: {} }
      `,
      spec`
        name: get_user
        description: Returns the user record. Not for groups of users.
        input: { type: object, properties: {} }
      `,
    ],
  },
  checkTool(tool, { report }) {
    if (WHEN.test(tool.spec.description) || saysWhenNot(tool.spec.description)) return;
    report("neither", { location: tool.locate("/description") }, { name: tool.name });
  },
});

export const whenNotToUse: Rule = defineRule({
  id: "description/when-not-to-use",
  severity: "off",
  summary: "A description says when not to use the tool, and what to use instead.",
  why:
    "The tools of a project overlap. A model that only knows what each is for takes the first that fits. A sentence that says what a " +
    "tool is not for, and names the tool to use instead, prevents that.",
  messages: {
    "no-when-not":
      'Nothing tells a model when not to use "{name}"; add a sentence such as "Do not use it for …: use `other_tool`".',
  },
  examples: {
    bad: [
      reporting("no-when-not")`
        name: get_user
        description: Returns the user record. Use it to find an address.
        input: { type: object, properties: {} }
      `,
    ],
    good: [
      spec`
        name: get_user
        description: Returns the user record. Do not use it to list users.
        input: { type: object, properties: {} }
      `,
    ],
  },
  checkTool(tool, { report }) {
    if (saysWhenNot(tool.spec.description)) return;
    report("no-when-not", { location: tool.locate("/description") }, { name: tool.name });
  },
});

const WHEN_NOT =
  /\b(?:do(?:es)? not|don['’]t|doesn['’]t|never|not (?:for|to|meant|intended|suitable|supported|available|recommended)|avoid|instead|only (?:for|when|if|works|use|supports|after)|unless|except|rather than|cannot|can['’]t|isn['’]t|without|prefer)\b/iu;

function saysWhenNot(description: string): boolean {
  return WHEN_NOT.test(description);
}
