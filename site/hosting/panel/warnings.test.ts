import { beforeEach, expect, it, vi } from 'vitest';
import { $dismissed, dismissWarning, isDismissed, loadDismissed } from './warnings.store.ts';

const stored = new Map<string, string>();
beforeEach(() => {
  stored.clear();
  $dismissed.set(null);
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
});
const warning = (at: string, code = 'slow_start') => ({ code, at, detail: '' });
const isHidden = (server: string, one: ReturnType<typeof warning>) =>
  isDismissed($dismissed.get() ?? {}, server, one);

it('a dismissed warning stays hidden in this browser, a newer one of its kind does not', () => {
  loadDismissed();
  dismissWarning('S1', warning('2026-01-01T10:00:00Z'));
  loadDismissed();
  expect(isHidden('S1', warning('2026-01-01T10:00:00Z'))).toBe(true);
  expect(isHidden('S1', warning('2026-01-01T09:00:00Z'))).toBe(true);
  expect(isHidden('S1', warning('2026-01-01T10:00:01Z'))).toBe(false);
  expect(isHidden('S1', warning('2026-01-01T10:00:00Z', 'oom_child'))).toBe(false);
  expect(isHidden('S2', warning('2026-01-01T10:00:00Z'))).toBe(false);
});

it('an unreadable store counts as none, and what is kept is bounded', () => {
  stored.set('servers.dismissed', '[broken');
  loadDismissed();
  expect($dismissed.get()).toEqual({});
  for (let i = 0; i < 150; i++) dismissWarning(`S${i}`, warning('2026-01-01T10:00:00Z'));
  expect(Object.keys($dismissed.get()!)).toHaveLength(100);
  expect(isHidden('S149', warning('2026-01-01T10:00:00Z'))).toBe(true);
  expect(isHidden('S0', warning('2026-01-01T10:00:00Z'))).toBe(false);
});
