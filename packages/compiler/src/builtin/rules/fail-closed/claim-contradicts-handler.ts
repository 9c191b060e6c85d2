import { findContradiction } from "../../../ledger/contradictions.js";
import { locateClaim } from "../../../ledger/claims.js";
import { yaml } from "../reading/example-spec.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

export const claimContradictsHandler: Rule = defineRule({
  id: "fail-closed/claim-contradicts-handler",
  severity: "error",
  summary: "A claim agrees with what the declared handler does.",
  why:
    "If a spec declares its handler, `hasp` compares the claim with what the handler does: an SQL statement with Postgres's " +
    "own parser, a request by what HTTP defines for its method, a command by what is known about its program. A DELETE that claims to be READ_ONLY " +
    "would run without a question, in parallel, and again after an error. A claim may still be true for a reason that the declaration does not " +
    "show, such as a POST that only searches: `hasp approve` asks about such a claim separately, and its entry in the ledger says `contradicts`.",
  messages: {
    contradicts: '"{claim:excerpt}" contradicts the handler: it {reason}.',
  },
  examples: {
    bad: [
      {
        spec: yaml`
          hasp: 1
          name: take_jobs
          description: Take the jobs that wait.
          input: { type: object, properties: {} }
          handler:
            sql:
              connection: app-db
              statement: |
                WITH taken AS (
                  DELETE FROM jobs WHERE id IN (SELECT id FROM jobs LIMIT 5) RETURNING *
                )
                SELECT * FROM taken
          concurrency: { class: READ_ONLY }
        `,
        reports: ["contradicts"],
      },
      {
        spec: yaml`
          hasp: 1
          name: archive
          description: Archive an order.
          input: { type: object, required: [id, preview], properties: { id: { type: string }, preview: { type: boolean } } }
          handler:
            http: { connection: orders-api, method: DELETE, path: "/orders/{id}" }
          concurrency:
            rules:
              - { when: input.preview, class: READ_ONLY }
          behavior:
            isDestructive: false
        `,
        reports: ["contradicts", "contradicts"],
      },
      {
        spec: yaml`
          hasp: 1
          name: publish
          description: Publish the branch.
          input: { type: object, required: [branch], properties: { branch: { type: string } } }
          handler:
            command: { argv: [git, push, origin, "{branch}"] }
          behavior:
            isReadOnly: { unless: "input.branch == 'main'" }
        `,
        reports: ["contradicts"],
      },
    ],
    good: [
      yaml`
        hasp: 1
        name: list_orders
        description: List the orders of a customer.
        input: { type: object, required: [customer], properties: { customer: { type: string } } }
        handler:
          sql: { connection: app-db, statement: SELECT id FROM orders WHERE customer_id = $customer ORDER BY id }
        concurrency: { class: READ_ONLY }
      `,
      yaml`
        hasp: 1
        name: set_state
        description: Set the state of an order.
        input: { type: object, required: [id], properties: { id: { type: string } } }
        handler:
          http: { connection: orders-api, method: PUT, path: "/orders/{id}/state" }
        concurrency: { class: WRITE_EXCLUSIVE }
        behavior: { isIdempotent: true }
      `,
    ],
  },
  checkTool(tool, { report }) {
    for (const relaxation of tool.relaxations) {
      const found = findContradiction(tool, relaxation);
      if (found === undefined) continue;
      const { kind, effect, location } = found;
      report(
        "contradicts",
        {
          location: locateClaim(tool, relaxation),
          related: [{ location, message: `the handler (${kind})` }],
          help: `Remove the claim. If it is true all the same: hasp approve ${tool.name} --contradicting --reason "why"`,
        },
        { claim: relaxation.claim, reason: effect.reason },
      );
    }
  },
});
