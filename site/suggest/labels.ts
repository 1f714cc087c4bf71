import type { Messages } from '#content/messages.ts';
import { projectTypes } from '../project-types.ts';

/** Names in braces that the script fills. */
const scopes = { kind: '{kind}', author: '{author}', query: '{query}' };
const max_recent = 8;

/** What the script of the box says, in the language of the page. */
export interface SuggestLabels {
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
export function labelsOf({ t }: Messages): SuggestLabels {
  return {
    by: t('suggest.by', scopes),
    all: t('suggest.all', scopes),
    none: t('suggest.none', scopes),
    waiting: t('suggest.waiting'),
    failed: t('suggest.failed'),
    offline: t('suggest.offline'),
    found: [...Array(max_recent + 1).keys()].map((count) => t('suggest.found', { count })),
    kinds: Object.fromEntries(projectTypes.map(({ type, one }) => [type, t(one)])),
    paths: Object.fromEntries(projectTypes.map(({ type, path }) => [type, path])),
  };
}
