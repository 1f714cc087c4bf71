import type { Messages } from '#content/messages.ts';
import type { ProjectTypeInfo } from '../../platform/paths/project-types.ts';
import { exactNumber } from '../../platform/text/format.ts';
import type { SearchState } from './state.ts';

/** What formats text and links on a page. */
export type ResultPage = Pick<App.Locals, 'messages' | 't' | 'link' | 'now' | 'services'>;

/** A count of projects of a type: `1,204 mods`. */
export const foundText = (messages: Messages, kind: ProjectTypeInfo, total: number): string =>
  messages.t(kind.found, { count: total, shown: exactNumber(messages, total) });

/**
 * `foundText` split at its number: before, number, after. Some languages write one and two without digits: then all of
 * it is before.
 */
export function foundPieces(
  messages: Messages,
  kind: ProjectTypeInfo,
  total: number,
): [string, string, string] {
  const [before = '', behind] = messages.t(kind.found, { count: total, shown: '\u0001' }).split('\u0001');
  return behind === undefined ? [before, '', ''] : [before, exactNumber(messages, total), behind];
}

/** The document title; a list says of which game, since search engines lead there. */
export function titleOf(
  { t, services }: Pick<App.Locals, 't' | 'services'>,
  kind: ProjectTypeInfo,
  { text }: SearchState,
): string {
  const type = t(kind.many);
  return text.trim() === ''
    ? t('search.page_title', { type, game: services.settings.GAME_NAME, site: 'Cairn' })
    : t('search.page_title_query', { query: text.trim(), type, site: 'Cairn' });
}
