import { defineSchemaDiagnostics, type SchemaDiagnosticFactory } from "../diagnostics/define-diagnostics.js";

const definitions = {
  "bare-object":
    '"type": "object" alone does not say which keys it accepts. Give it "properties", a schema under "additionalProperties" (a map), or "additionalProperties": true (anything).',
  "ambiguous-union":
    'The objects inside this "oneOf" cannot be closed: two branches may match one value, and closing could turn "both" into "exactly one". Give each branch a required property with its own "const", write "anyOf", or say "additionalProperties" in those objects.',
  "contested-place": {
    message: {
      inside:
        'Two schemas that apply together describe the objects inside, so neither can be closed without refusing the other\'s keys. Describe them in one place, or say "additionalProperties" in those objects.',
      key: 'Two schemas that apply together describe the objects at "{key}", so neither can be closed without refusing the other\'s keys. Describe them in one place, or say "additionalProperties" in those objects.',
      tooMany:
        'There are too many names and patterns here to find out which of them describe the same objects. Say "additionalProperties" in those objects, or use fewer "patternProperties".',
      branchesInside:
        'Two branches that may apply together describe the objects inside; once closed, a value may use the keys of one of them, not a mixture. Tell the branches apart with a "const", or say "additionalProperties" in those objects.',
      branchesKey:
        'Two branches that may apply together describe the objects at "{key}"; once closed, a value may use the keys of one of them, not a mixture. Tell the branches apart with a "const", or say "additionalProperties" in those objects.',
    },
  },
  "not-flat":
    'Closing cannot see what "{reference}" refers to. Flatten the schema first, or move the definition into "$defs".',
} as const;

export const closeDiagnostics: SchemaDiagnosticFactory<typeof definitions> = defineSchemaDiagnostics(definitions);
