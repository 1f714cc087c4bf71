import type { MessageKey } from '#content/keys.ts';
import type { Messages } from '#content/messages.ts';
import type { SecurityEntry, UsedCredential } from '#db/platform/security-log/read.ts';
import type { SecurityKind } from '#db/platform/security-log/rules.ts';
import { bidiIsolated } from '../../platform/text/bidi.ts';
import { deviceName, placeOf } from '../settings/session-device.ts';

const sentences: Readonly<Record<Exclude<SecurityKind, 'rights_changed'>, MessageKey>> = {
  sign_in: 'security_log.sign_in',
  sign_in_failed: 'security_log.sign_in_failed',
  proof: 'security_log.proof',
  proof_failed: 'security_log.proof_failed',
  new_network: 'security_log.new_network',
};

/** What of an account changed, by the name of it in an entry. */
const changes: Readonly<Record<string, MessageKey>> = {
  role: 'security_log.changed_role',
  password: 'security_log.changed_password',
  token: 'security_log.changed_token',
  sessions: 'security_log.changed_sessions',
  application: 'security_log.changed_application',
  authorization: 'security_log.changed_authorization',
  two_factor: 'security_log.changed_two_factor',
  passkey: 'security_log.changed_passkey',
  email: 'security_log.changed_email',
  suspended: 'security_log.changed_suspended',
  restored: 'security_log.changed_restored',
  team: 'security_log.changed_team',
};

/** What an entry of the log of security says, in one sentence. */
export function entryKey({ kind, detail }: Pick<SecurityEntry, 'kind' | 'detail'>): MessageKey {
  if (kind !== 'rights_changed') return sentences[kind];
  const what = detail.what ?? '';
  return Object.hasOwn(changes, what) ? changes[what]! : 'security_log.changed_other';
}

/** By what it was done, in words: device and place of a session, or the name of a token or app. */
export function credentialText(messages: Messages, used: UsedCredential): string {
  const { t } = messages;
  const { noun, name } = used;
  if (noun !== 'session')
    return name === null
      ? t(`security_log.by_${noun}`)
      : t(`security_log.by_${noun}_named`, { name: bidiIsolated(name) });
  const isKnown = used.os !== null || used.platform !== null;
  const device = isKnown ? bidiIsolated(deviceName(messages, used)) : t('security_log.unknown_device');
  const place = placeOf(messages, used);
  return place === null
    ? t('security_log.by_session', { device })
    : t('security_log.by_session_place', { device, place: bidiIsolated(place) });
}
