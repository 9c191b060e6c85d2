import { reporting, spec, defineRule, type Rule } from "@hasp/compiler/plugin";

const SECRET_NAME =
  /^(?:.*_)?(?:password|passwd|passphrase|secret|api_?key|access_?key|private_?key|secret_?key|client_?secret|(?:access|auth|bearer|refresh|api|session|id)_?token|credentials?|connection_?string)$/u;

export const secretInput: Rule = defineRule({
  id: "safety/secret-input",
  severity: "warning",
  summary: "No parameter asks a model for a secret.",
  why:
    "A model must know what it fills in, so a secret parameter ends up in the conversation, in logs and with the provider. " +
    "The handler can read the secret from its environment or context, where the model never sees it.",
  messages: {
    asked:
      'The model would have to know "{name}". Let the handler read it from its environment or context (needs.env, needs.context).',
  },
  examples: {
    bad: [
      reporting("asked", "asked")`
        name: connect
        description: Connect to a server.
        input:
          type: object
          properties: { host: { type: string }, apiKey: { type: string }, options: { type: object, properties: { db_password: { type: string } } } }
      `,
    ],
    good: [
      spec`
        name: count_tokens
        description: Count tokens.
        input:
          type: object
          properties: { maxTokens: { type: integer }, pageToken: { type: string }, isSecret: { type: boolean }, passwordLength: { type: integer } }
        needs: { env: [API_KEY] }
      `,
    ],
  },
  visitTool(tool, { report }) {
    return {
      parameter({ schema, pointer, property }) {
        const words = property
          .replaceAll(/([a-z0-9])([A-Z])/gu, "$1_$2")
          .toLowerCase()
          .replaceAll("-", "_");
        const mayBeText = schema.type === undefined || [schema.type].flat().includes("string");
        if (mayBeText && SECRET_NAME.test(words)) {
          report("asked", { location: tool.input.locate(pointer, "key") }, { name: property });
        }
      },
    };
  },
});
