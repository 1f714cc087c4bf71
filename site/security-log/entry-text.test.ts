import { expect, it } from 'vitest';
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

it.each([
  ['session AAAAAAAA', { key: 'security_log.by_session', id: 'AAAAAAAA' }],
  ['app BBBBBBBB', { key: 'security_log.by_app', id: 'BBBBBBBB' }],
  ['constructor x', null],
  [null, null],
])('%s is named', (credential, text) => {
  expect(credentialText(credential)).toEqual(text);
});
