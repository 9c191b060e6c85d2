/** A revision of the protocol. */
export type Revision = "2025-11-25" | "2026-07-28";

/** Checks of the suite that do not apply to a server of tools, and why. */
export interface NotApplicable {
  readonly why: string;
  readonly checks: Readonly<Record<Revision, readonly string[]>>;
}

/** Every check that fails or warns, as `scenario:check`. One that begins to pass, or another that fails, is an error. */
export const NOT_APPLICABLE: readonly NotApplicable[] = [
  {
    why: "`hasp serve` serves tools: no resources, prompts, completions or logs.",
    checks: {
      "2025-11-25": [
        "completion-complete:completion-complete",
        "logging-set-level:logging-set-level",
        "tools-call-with-logging:tools-call-with-logging",
        "prompts-get-embedded-resource:prompts-get-embedded-resource",
        "prompts-get-simple:prompts-get-simple",
        "prompts-get-with-args:prompts-get-with-args",
        "prompts-get-with-image:prompts-get-with-image",
        "prompts-list:prompts-list",
        "resources-list:resources-list",
        "resources-read-binary:resources-read-binary",
        "resources-read-text:resources-read-text",
        "resources-subscribe:resources-subscribe",
        "resources-templates-read:resources-templates-read",
        "resources-unsubscribe:resources-unsubscribe",
      ],
      "2026-07-28": [
        "caching:sep-2549-prompts-list-caching-hints",
        "caching:sep-2549-resources-list-caching-hints",
        "caching:sep-2549-resources-templates-list-caching-hints",
        "completion-complete:completion-complete",
        "input-required-result-non-tool-request:sep-2322-non-tool-incomplete",
        "prompts-get-embedded-resource:prompts-get-embedded-resource",
        "prompts-get-simple:prompts-get-simple",
        "prompts-get-with-args:prompts-get-with-args",
        "prompts-get-with-image:prompts-get-with-image",
        "prompts-list:prompts-list",
        "resources-list:resources-list",
        "resources-read-binary:resources-read-binary",
        "resources-read-text:resources-read-text",
        "resources-templates-read:resources-templates-read",
        "sep-2164-resource-not-found:sep-2164-data-uri",
        "sep-2164-resource-not-found:sep-2164-error-code",
      ],
    },
  },
  {
    why:
      "Handlers make no requests of the client: no sampling, roots or forms of their own. hasp itself asks one question, " +
      "`permission`: whether a call may run.",
    checks: {
      "2025-11-25": [
        "elicitation-sep1034-defaults:elicitation-sep1034-general",
        "elicitation-sep1330-enums:elicitation-sep1330-general",
        "tools-call-elicitation:tools-call-elicitation",
        "tools-call-sampling:tools-call-sampling",
      ],
      "2026-07-28": [
        "input-required-result-basic-elicitation:sep-2322-elicitation-incomplete",
        "input-required-result-basic-list-roots:sep-2322-list-roots-incomplete",
        "input-required-result-basic-sampling:sep-2322-sampling-incomplete",
        "input-required-result-capability-check:sep-2322-respect-client-capabilities",
        "input-required-result-multi-round:sep-2322-multi-round-r1",
        "input-required-result-multiple-input-requests:sep-2322-multiple-inputs-incomplete",
        "server-stateless:sep-2575-missing-capability-http-400",
        "server-stateless:sep-2575-server-rejects-undeclared-capability",
      ],
    },
  },
  {
    why: "An answer is accepted only with the signed state of its question; without it, the question is asked again.",
    checks: {
      "2025-11-25": [],
      "2026-07-28": ["input-required-result-ignore-extra-params:sep-2322-ignore-unexpected-params"],
    },
  },
  {
    why: "There are no sessions, so no stream can be resumed.",
    checks: {
      "2025-11-25": [
        "server-sse-multiple-streams:server-sse-multiple-streams-session",
        "server-sse-polling:incoming-sse-event",
        "server-sse-polling:server-sse-polling-session",
        "server-sse-polling:server-sse-priming-event",
        "server-sse-polling:server-sse-retry-field",
      ],
      "2026-07-28": [],
    },
  },
  {
    why:
      "hasp sends flat schemas, with `$ref`, `$anchor` and `allOf` resolved in place, so that every client and model " +
      "understands them ([flattening](../flattening.md)).",
    checks: {
      "2025-11-25": [
        "json-schema-2020-12:json-schema-2020-12-$defs",
        "json-schema-2020-12:json-schema-2020-12-$schema",
      ],
      "2026-07-28": [
        "json-schema-2020-12:json-schema-2020-12-$defs",
        "json-schema-2020-12:json-schema-2020-12-$schema",
        "json-schema-2020-12:sep-2106-anchor-keyword-preserved",
        "json-schema-2020-12:sep-2106-composition-keywords-preserved",
      ],
    },
  },
  {
    why: "No call changes the list of a project's tools. (`test/clients/mcp-protocol.test.ts` tests the notification.)",
    checks: {
      "2025-11-25": [],
      "2026-07-28": ["server-stateless:sep-2575-server-sends-tools-list-changed-on-subscription"],
    },
  },
];
