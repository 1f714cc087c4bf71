import type { Messages } from '#content/messages.ts';
import { projectTypes } from '../project/types.ts';

/** Names in braces that the script fills. */
const places = { kind: '{kind}', author: '{author}', query: '{query}' };
const most = 8;

/** What the script of the box says, in the language of the page. */
export interface Words {
  by: string;
  all: string;
  none: string;
  waiting: string;
  failed: string;
  offline: string;
  /** What is announced, by the number of projects found. */
  found: string[];
  kinds: Record<string, string>;
  /** Where the search screen of each kind lies. */
  paths: Record<string, string>;
}

/** The words of the box; they stand in the page, so that no catalogue travels. */
export function wordsOf({ t }: Messages): Words {
  return {
    by: t('suggest.by', places),
    all: t('suggest.all', places),
    none: t('suggest.none', places),
    waiting: t('suggest.waiting'),
    failed: t('suggest.failed'),
    offline: t('suggest.offline'),
    found: [...Array(most + 1).keys()].map((count) => t('suggest.found', { count })),
    kinds: Object.fromEntries(projectTypes.map(({ type, one }) => [type, t(one)])),
    paths: Object.fromEntries(projectTypes.map(({ type, path }) => [type, path])),
  };
}
