import { beforeEach, expect, test } from 'vitest';
import { $messages, dismiss, say } from './messages.store.ts';

const hello = { title: 'Hello', text: 'There', type: 'info' } as const;

beforeEach(() => $messages.set([]));

test('the same title, text and type again counts up and stays where it is', () => {
  say(hello);
  say({ ...hello, title: 'Between' });
  const [first] = $messages.get();
  say({ ...hello, error_code: 'offline' });
  say(hello);
  expect($messages.get()).toHaveLength(2);
  expect($messages.get()[0]).toEqual({ ...hello, id: first!.id, count: 3, error_code: 'offline' });
});

test('another title, text or type is another message, even at the same moment', () => {
  for (const other of [hello, { ...hello, title: 'Bye' }, { ...hello, text: 'Here' }]) say(other);
  say({ ...hello, type: 'error' });
  const ids = $messages.get().map(({ id }) => id);
  expect(new Set(ids).size).toBe(4);
  expect(ids).toEqual([...ids].sort((a, b) => a - b));
});

test('each can be sent away; what came again after that is new', () => {
  say(hello);
  say({ ...hello, type: 'error' });
  dismiss($messages.get()[0]!.id);
  expect($messages.get().map(({ type }) => type)).toEqual(['error']);
  say(hello);
  expect($messages.get().map(({ count }) => count)).toEqual([1, 1]);
});
