import { beforeEach, expect, it, vi } from 'vitest';
import { $preferences, defaults, loadPreferences, prefer } from './preferences.store.ts';

const stored = new Map<string, string>();
const page = { cookie: '' };
beforeEach(() => {
  stored.clear();
  $preferences.set(null);
  vi.stubGlobal('document', page);
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
});

it('stays in this browser, and tells the server what to cover', () => {
  loadPreferences();
  expect($preferences.get()).toEqual(defaults);
  prefer({ hide_address: true });
  expect(page.cookie).toMatch(/^hide_address=1; path=\/servers; max-age=[1-9]/);
  $preferences.set(null);
  loadPreferences();
  expect($preferences.get()).toEqual({ ...defaults, hide_address: true });
  prefer({ hide_address: false });
  expect(page.cookie).toContain('max-age=0;');
});

it.each(['{', 'null', '[]', '{"memory_bytes":"no","other":true}'])('takes %s as nothing', (text) => {
  stored.set('servers.preferences', text);
  loadPreferences();
  expect($preferences.get()).toEqual(defaults);
});
