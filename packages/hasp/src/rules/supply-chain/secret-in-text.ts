import { yaml } from "../reading/example-spec.js";
import { locateText, textsOf } from "../reading/texts.js";
import { defineRule, type Rule } from "../rule.js";

/** Forms that only secrets have. A form that also fits ordinary words is not here. */
const SECRETS = [
  { what: "a private key", form: /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/u },
  { what: "an AWS access key", form: /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/u },
  { what: "a GitHub token", form: /\bgh[pousr]_[A-Za-z0-9]{36,}\b|\bgithub_pat_\w{60,}\b/u },
  { what: "a GitLab token", form: /\bglpat-[\w-]{20,}/u },
  { what: "a Slack token", form: /\bxox[abeoprs]-[\w-]{20,}/u },
  { what: "an API key", form: /\bsk-(?:ant-|proj-|live-)?[\w-]{32,}|\bsk_live_\w{20,}|\bAIza[\w-]{35}\b/u },
  { what: "an npm token", form: /\bnpm_[A-Za-z0-9]{36}\b/u },
  // The first part of a token is short. Without a bound, a text that begins one again and again would be read again each
  // time.
  { what: "a signed token", form: /\beyJ[\w-]{10,500}\.eyJ[\w-]{10,}\.[\w-]{20,}/u },
  {
    what: "a password in an address",
    form: /(?<=[a-z0-9]):\/\/[^\s:/@<>{}[\]$*]+:(?!(?:password|pass|pwd|secret|\*+|x+|\.+)@)[^\s:/@<>{}[\]$*]{4,}@/iu,
  },
] as const;

const SHORTEST_SECRET = 12;

export const secretInText: Rule = defineRule({
  id: "supply-chain/secret-in-text",
  group: "supply-chain",
  severity: "error",
  summary: "No text of a tool contains a secret.",
  why:
    "Descriptions, defaults and examples are sent to a model provider with every request and end in logs and transcripts. A secret " +
    "in one of them is no longer secret.",
  messages: {
    secret:
      "This looks like {what}, in {role}. Remove it, revoke it, and let the handler read it from the environment (needs.env).",
  },
  examples: {
    bad: [
      {
        spec: yaml`
          hasp: 1
          name: query
          description: "Query. Connects to postgres://admin:hunter2hunter2@db.internal/app."
          input: { type: object, properties: {} }
        `,
        reports: ["secret"],
      },
    ],
    good: [
      yaml`
        hasp: 1
        name: query
        description: "Query. The address has the form postgres://user:password@host/name; tokens begin with ghp_."
        input: { type: object, properties: {} }
      `,
    ],
  },
  check({ tools }, report) {
    for (const tool of tools) {
      for (const toolText of textsOf(tool)) {
        const { text, role } = toolText;
        if (text.length < SHORTEST_SECRET) continue;
        const found = SECRETS.find(({ form }) => form.test(text));
        if (found !== undefined) {
          report(
            "secret",
            { tool, location: locateText(tool, toolText) },
            { role: role === "a key" ? role : `"${role}"`, what: found.what },
          );
        }
      }
    }
  },
});
