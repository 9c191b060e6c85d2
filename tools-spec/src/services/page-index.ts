import type { AgentContext } from "../context.js";

/** A page as it was stored. */
export interface StoredPage {
  readonly title: string;
  readonly url: string;
  readonly text: string;
}

const mostCharacters = 300;

/** Creates a search over stored pages, in place of a service on the web: pages with most of the words come first. */
export function createPageIndex(pages: readonly StoredPage[]): AgentContext["searchWeb"] {
  const indexed = pages.map((page) => ({ page, words: new Set(wordsIn(`${page.title} ${page.text}`)) }));
  return (query, limit) => {
    const wanted = [...new Set(wordsIn(query))];
    const found = indexed
      .map(({ page, words }) => ({ page, score: wanted.filter((word) => words.has(word)).length }))
      .filter(({ score }) => score > 0)
      .toSorted((one, other) => other.score - one.score)
      .slice(0, limit);
    return Promise.resolve(
      found.map(({ page: { title, url, text } }) => ({ title, url, excerpt: text.slice(0, mostCharacters) })),
    );
  };
}

function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
