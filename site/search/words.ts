import { type MessageKey, type Messages, pick } from '#content/messages.ts';
import type { Kind } from '../project/types.ts';

/** Texts of the results island. */
const keys = [
  'search.active',
  'search.not',
  'search.remove',
  'search.clear',
  'search.results',
  'search.show_found',
  'search.by',
  'search.none',
  'search.none_text',
  'search.failed',
  'search.open_source',
  'search.client',
  'search.server',
  'shell.pages',
  'shell.page',
  'shell.previous',
  'shell.next',
  'shell.problem_title',
  'format.thousands',
  'format.millions',
] as const satisfies readonly MessageKey[];
const places = { name: '{name}', page: '{page}', number: '{number}', found: '{found}' };

export type Words = Record<(typeof keys)[number], string>;

/** The island's texts; those with a value keep its name in braces for `fill`. */
export const wordsOf = ({ t }: Messages): Words => pick((key) => t(key, places), keys);

/** How many were found, for each plural form of the language, with `{shown}` for the number. */
export function foundWords({ t, formatting }: Messages, kind: Kind): Record<string, string> {
  const rules = new Intl.PluralRules(formatting);
  const samples = new Map(
    [...Array(201).keys(), 1_000_000, 1.5].map((count) => [rules.select(count), count]),
  );
  return Object.fromEntries(
    [...samples].map(([form, count]) => [form, t(kind.found, { count, shown: '{shown}' })]),
  );
}
