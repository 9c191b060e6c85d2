import { presentQuestion } from "@hasp/runtime";
import type { Question } from "@hasp/runtime/call-store";
import { spellOut } from "@hasp/runtime/internal";
import { MOST_REASON } from "../durable/answer-question.js";
import { RIGHT_TO_LEFT, RIGHT_TO_LEFT_RUN } from "@hasp/base/diagnostics";

export interface Page {
  readonly status: number;
  readonly title: string;
  readonly body: string;
}

export function notice(status: number, title: string, text: string): Page {
  return { status, title, body: `<h1>${escaped(title)}</h1><p>${escaped(text)}</p>` };
}

/** Creates the form that decides a question. Everything from a model, a tool or a host is shown as text. */
export function renderQuestionPage(
  question: Question,
  decisions: readonly ("allow" | "deny")[],
  by: string | undefined,
): Page {
  const { toolName, principal, expiresAt } = question;
  const { input, notes } = presentQuestion(question, { isolatesDirections: true });
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["Class", question.isDestructive ? `${question.class}, may destroy data` : question.class],
    ["Reason", question.reason],
    ["For", principal],
    ["You answer as", by],
    ["Until", expiresAt],
  ];
  const shown = [
    ...(input === undefined ? [] : [`<pre>${showText(input)}</pre>`]),
    ...notes.map((note) => `<p>${showText(note)}</p>`),
  ];
  // The first button is the one that the Enter key presses.
  const buttons = (["deny", "allow"] as const)
    .filter((decision) => decisions.includes(decision))
    .map((decision) => BUTTONS[decision]);
  return {
    status: 200,
    title: `Run ${toolName}?`,
    body: `<h1>Run <code>${escaped(toolName)}</code>?</h1>
<dl>${facts.map(([name, text]) => (text === undefined ? "" : `<dt>${name}</dt><dd>${escaped(text)}</dd>`)).join("")}</dl>
<h2>Input</h2>
${shown.join("\n")}
<form method="post">
<p><label>Reason, for the model and the record<br><input name="reason" maxlength="${MOST_REASON}" autocomplete="off"></label></p>
${decisions.includes("allow") ? INPUT_FIELD : ""}
${buttons.join("\n")}
</form>`,
  };
}

const INPUT_FIELD =
  '<p><label>Another input, as JSON. Empty: the one above<br><textarea name="input" rows="5" spellcheck="false"></textarea></label></p>';

const BUTTONS = {
  deny: '<button name="decision" value="deny">Refuse</button>',
  allow: '<button name="decision" value="allow">Allow</button>',
} as const;

const STYLE =
  ":root{color-scheme:light dark}*{box-sizing:border-box}body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}" +
  "pre{white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid;padding:1rem}" +
  "dt{font-weight:bold}dd{margin:0;overflow-wrap:anywhere}button{font:inherit;padding:.5rem 1.5rem;margin-right:1rem}input,textarea{font:inherit;width:100%}";

/** Creates a response that no browser, proxy or search engine keeps, frames or runs. */
export function createPageResponse({ status, title, body }: Page, headers: Record<string, string> = {}): Response {
  const nonce = crypto.randomUUID();
  const text = `<!doctype html>
<html lang="en" dir="ltr"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${toHtml(spellOut(spellOut(title), RIGHT_TO_LEFT))}</title><style nonce="${nonce}">${STYLE}</style></head>
<body><main>
${body}
</main></body></html>
`;
  return new Response(text, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "x-robots-tag": "noindex",
      ...headers,
    },
  });
}

const ENTITIES: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return showText(spellOut(text));
}

/** Isolates words from right to left, which would otherwise move the digits, quotes and commas beside them. */
function showText(text: string): string {
  return toHtml(text).replaceAll(RIGHT_TO_LEFT_RUN, "<bdi>$&</bdi>");
}

function toHtml(text: string): string {
  return text.replaceAll(/[&<>"']/gu, (character) => ENTITIES[character] ?? "");
}
