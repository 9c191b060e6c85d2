/** Forms that secrets have and ordinary words do not. */
const SECRETS = [
  { what: "a private key", form: /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/u },
  { what: "an AWS access key", form: /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/u },
  { what: "a GitHub token", form: /\bgh[pousr]_[A-Za-z0-9]{36,}\b|\bgithub_pat_\w{60,}\b/u },
  { what: "a GitLab token", form: /\bglpat-[\w-]{20,}/u },
  { what: "a Slack token", form: /\bxox[abeoprs]-[\w-]{20,}/u },
  { what: "an API key", form: /\bsk-(?:ant-|proj-|live-)?[\w-]{32,}|\bsk_live_\w{20,}|\bAIza[\w-]{35}\b/u },
  { what: "an npm token", form: /\bnpm_[A-Za-z0-9]{36}\b/u },
  // The first part of a token is short. The bound avoids rescanning texts that begin one repeatedly.
  { what: "a signed token", form: /\beyJ[\w-]{10,500}\.eyJ[\w-]{10,}\.[\w-]{20,}/u },
  {
    what: "a password in an address",
    form: /:\/\/(?<=[a-z0-9]:\/\/)[^\s:/@<>{}[\]$*]+:(?!(?:password|pass|pwd|secret|\*+|x+|\.+)@)[^\s:/@<>{}[\]$*]{4,}@/iu,
  },
] as const;

const SHORTEST_SECRET = 12;

export function findSecret(text: string): string | undefined {
  if (text.length < SHORTEST_SECRET) return undefined;
  return SECRETS.find(({ form }) => form.test(text))?.what;
}

export function redactSecrets(text: string, replace: (secret: string) => string): string {
  if (text.length < SHORTEST_SECRET) return text;
  return SECRETS.reduce((rest, { form }) => rest.replaceAll(new RegExp(form.source, `${form.flags}g`), replace), text);
}
