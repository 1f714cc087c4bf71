import type { Messages } from '#content/messages.ts';
import { projectTypes } from '../project-types.ts';

/** Placeholders that the script replaces. */
const scopes = { kind: '{kind}', author: '{author}', query: '{query}' };
const max_recent = 8;

/** The labels of the box's script, in the language of the page. */
export interface SuggestLabels {
  by: string;
  all: string;
  none: string;
  waiting: string;
  failed: string;
  offline: string;
  /** The announcement for each number of projects found. */
  found: string[];
  kinds: Record<string, string>;
  /** The path of the search page of each type. */
  paths: Record<string, string>;
}

/** The labels of the box; they are in the page, so that the browser loads no catalog. */
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
