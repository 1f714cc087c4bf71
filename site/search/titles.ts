import type { Messages } from '#content/messages.ts';
import type { ProjectTypeInfo } from '../project-types.ts';
import { exactNumber } from '../text/format.ts';
import type { SearchState } from './state.ts';

/** What makes words and links on a page. */
export type ResultPage = Pick<App.Locals, 'messages' | 't' | 'link' | 'now'>;

/** How many of a kind: `1,204 mods`. */
export const foundText = (messages: Messages, kind: ProjectTypeInfo, total: number): string =>
  messages.t(kind.found, { count: total, shown: exactNumber(messages, total) });

/**
 * `foundText` around its number: what stands before, the number, what stands behind. Some languages say one and two
 * without a number: then all of it stands before.
 */
export function foundPieces(
  messages: Messages,
  kind: ProjectTypeInfo,
  total: number,
): [string, string, string] {
  const [before = '', behind] = messages.t(kind.found, { count: total, shown: '\u0001' }).split('\u0001');
  return behind === undefined ? [before, '', ''] : [before, exactNumber(messages, total), behind];
}

/** What the tab of the browser says. */
export function titleOf({ t }: Messages, kind: ProjectTypeInfo, { text }: SearchState): string {
  const type = t(kind.many);
  return text.trim() === ''
    ? t('search.page_title', { type, site: 'Cairn' })
    : t('search.page_title_query', { query: text.trim(), type, site: 'Cairn' });
}
