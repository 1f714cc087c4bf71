import type { MessageKey, Messages } from '#content/messages.ts';
import type { Session } from '#db/people/session.ts';

const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS': 'macOS' };
const phones = ['Android', 'iPhone', 'iPad'];
const unknown: MessageKey = 'settings.session_unknown';

/** Whether somebody is signed in on a phone or tablet. */
export const isPhone = ({ os }: Session): boolean => phones.includes(os ?? '');

/** Browser and system of a session, in words. */
export function deviceName({ t }: Messages, { os, platform }: Session): string {
  const [system, browser] = [os, platform].map((name) => (name ? (names[name] ?? name) : null));
  if (system && browser) return t('settings.session_device', { browser, system });
  return system ?? browser ?? t(unknown);
}

/** Network address and place of a session, in words; null when neither is known. */
export function originOf({ t, formatting }: Messages, { ip, city, country }: Session): string | null {
  const name = country && new Intl.DisplayNames(formatting, { type: 'region' }).of(country);
  const place = [city, name].filter(Boolean).join(', ') || null;
  if (ip === null) return place;
  return place ? t('settings.session_from_place', { ip, place }) : t('settings.session_from', { ip });
}
