import { beforeEach, expect, test } from 'vitest';
import { $toasts, dismissToast, showToast } from './toasts.store.ts';

const hello = { title: 'Hello', text: 'There', type: 'info' } as const;

beforeEach(() => $toasts.set([]));

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
