import { expect, it } from 'vitest';
import { messages } from '#content/messages.ts';
import type { UsedCredential } from '#db/platform/security-log/read.ts';
import { credentialText, entryKey } from './entry-text.ts';

it('each kind of entry has a sentence, changes of rights one by what changed', () => {
  expect(entryKey({ kind: 'sign_in_failed', detail: {} })).toBe('security_log.sign_in_failed');
  expect(entryKey({ kind: 'rights_changed', detail: { what: 'role', from: 'developer', to: 'admin' } })).toBe(
    'security_log.changed_role',
  );
  expect(entryKey({ kind: 'rights_changed', detail: { what: 'of a later release' } })).toBe(
    'security_log.changed_other',
  );
});

const english = messages('en-US');
const nothing = { name: null, os: null, platform: null, city: null, country: null };
it.each<[Partial<UsedCredential> & Pick<UsedCredential, 'noun'>, string]>([
  [
    { noun: 'session', os: 'Windows', platform: 'Chrome', city: 'Oslo', country: 'NO' },
    'With Chrome on Windows, signed in from Oslo, Norway',
  ],
  [{ noun: 'session', os: 'iPhone', platform: 'Safari' }, 'With Safari on iPhone'],
  [{ noun: 'session' }, 'With an unknown device'],
  [{ noun: 'session', country: 'NO' }, 'With an unknown device, signed in from Norway'],
  [{ noun: 'token', name: 'Pocket' }, 'With the API token Pocket'],
  [{ noun: 'token' }, 'With an API token'],
  [{ noun: 'app', name: 'Launcher' }, 'With the application Launcher'],
  [{ noun: 'app' }, 'With an application'],
])('%o is said as %s', (used, text) => {
  const said = credentialText(english, { ...nothing, ...used });
  expect(said.replace(/[\u2068\u2069]/g, '')).toBe(text);
});
