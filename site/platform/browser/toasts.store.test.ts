import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { $toasts, dismissToast, keepToast, showKeptToast, showToast } from './toasts.store.ts';

const hello = { title: 'Hello', text: 'There', type: 'info' } as const;

beforeEach(() => $toasts.set([]));
afterEach(() => vi.unstubAllGlobals());

test('the same title, text and type again increases the count and keeps the position', () => {
  showToast(hello);
  showToast({ ...hello, title: 'Between' });
  const [first] = $toasts.get();
  showToast({ ...hello, error_code: 'offline' });
  showToast(hello);
  expect($toasts.get()).toHaveLength(2);
  expect($toasts.get()[0]).toEqual({ ...hello, id: first!.id, count: 3, error_code: 'offline' });
});

test('another title, text or type is another toast, even at the same moment', () => {
  for (const other of [hello, { ...hello, title: 'Bye' }, { ...hello, text: 'Here' }]) showToast(other);
  showToast({ ...hello, type: 'error' });
  const ids = $toasts.get().map(({ id }) => id);
  expect(new Set(ids).size).toBe(4);
  expect(ids).toEqual([...ids].sort((a, b) => a - b));
});

test('each can be dismissed; the same one later is new', () => {
  showToast(hello);
  showToast({ ...hello, type: 'error' });
  dismissToast($toasts.get()[0]!.id);
  expect($toasts.get().map(({ type }) => type)).toEqual(['error']);
  showToast(hello);
  expect($toasts.get().map(({ count }) => count)).toEqual([1, 1]);
});

test('of the same toast, the newest says whether and what to retry', () => {
  const tries: string[] = [];
  showToast({ ...hello, retry: () => tries.push('first') });
  showToast({ ...hello, retry: () => tries.push('second') });
  $toasts.get()[0]!.retry!();
  expect(tries).toEqual(['second']);
  showToast(hello);
  expect($toasts.get()).toMatchObject([{ count: 3, retry: undefined }]);
});

test('one that is kept is shown on the next page, once', () => {
  const stored = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  keepToast(hello);
  expect($toasts.get()).toEqual([]);
  showKeptToast();
  showKeptToast();
  expect($toasts.get()).toMatchObject([{ ...hello, count: 1 }]);
});

test('without storage, and with something else in it, none is shown', () => {
  const broken = () => {
    throw new Error('denied');
  };
  vi.stubGlobal('sessionStorage', { getItem: broken, setItem: broken, removeItem: broken });
  keepToast(hello);
  showKeptToast();
  vi.stubGlobal('sessionStorage', { getItem: () => '{', removeItem: () => {} });
  showKeptToast();
  expect($toasts.get()).toEqual([]);
});
