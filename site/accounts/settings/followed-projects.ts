import type { MessageKey, Messages } from '#content/messages.ts';
import type { FollowChoice } from '#db/catalogue/follows/choices.ts';
import type { FollowMode } from '#db/catalogue/follows/rules.ts';
import { bidiIsolated } from '../../platform/text/bidi.ts';
import { tagName } from '../../platform/text/format.ts';

/** Followed projects on one page of the settings. */
export const follows_per_page = 20;

/** How each choice is called. */
export const modeNames: Record<FollowMode, MessageKey> = {
  global: 'notify.mode_global',
  own: 'notify.mode_own',
  none: 'notify.mode_none',
};

/** What a follower hears of a project, in a few words: the loaders and game versions, where there are own ones. */
export function choiceText(
  messages: Messages,
  { mode, loaders: chosen, game_versions }: FollowChoice,
): string {
  const { t, formatting } = messages;
  if (mode !== 'own') return t(modeNames[mode]);
  const named = [...chosen.map((name) => tagName(messages, name)), ...game_versions].map(bidiIsolated);
  if (named.length === 0) return t('notify.all_versions');
  return new Intl.ListFormat(formatting, { type: 'unit', style: 'short' }).format(named);
}
