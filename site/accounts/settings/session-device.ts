import type { MessageKey, Messages } from '#content/messages.ts';
import type { Session } from '#db/platform/people/session.ts';

const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS': 'macOS' };
const phones = ['Android', 'iPhone', 'iPad'];
const unknown: MessageKey = 'settings.session_unknown';

/** Whether somebody is signed in on a phone or tablet. */
export const isPhone = ({ os }: Session): boolean => phones.includes(os ?? '');

/** Browser and system of a session, in words. */
export function deviceName({ t }: Messages, { os, platform }: Pick<Session, 'os' | 'platform'>): string {
  const [system, browser] = [os, platform].map((name) => (name ? (names[name] ?? name) : null));
  if (system && browser) return t('settings.session_device', { browser, system });
  return system ?? browser ?? t(unknown);
}

/** City and country where a session was opened, in words; null when neither is known. */
export function placeOf(
  { formatting }: Messages,
  { city, country }: Pick<Session, 'city' | 'country'>,
): string | null {
  const name = country && new Intl.DisplayNames(formatting, { type: 'region' }).of(country);
  return [city, name].filter(Boolean).join(', ') || null;
}

/** Network address and place of a session, in words; null when neither is known. */
export function originOf(messages: Messages, { ip, ...from }: Session): string | null {
  const { t } = messages;
  const place = placeOf(messages, from);
  if (ip === null) return place;
  return place ? t('settings.session_from_place', { ip, place }) : t('settings.session_from', { ip });
}
