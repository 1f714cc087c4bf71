import { beforeEach, expect, test } from 'vitest';
import { $messages, dismiss, say } from './messages.store.ts';

const hello = { title: 'Hello', text: 'There', type: 'info' } as const;

beforeEach(() => $messages.set([]));

test('the same title, text and type again counts up and starts anew', () => {
  say(hello);
  const [first] = $messages.get();
  say(hello);
  const [again] = $messages.get();
  expect($messages.get()).toHaveLength(1);
  expect(again).toMatchObject({ ...hello, count: 2 });
  expect(again!.id).not.toBe(first!.id);
});

test('another type is another message; each can be sent away', () => {
  say(hello);
  say({ ...hello, type: 'error' });
  expect($messages.get().map(({ type }) => type)).toEqual(['info', 'error']);
  dismiss($messages.get()[0]!.id);
  expect($messages.get().map(({ type }) => type)).toEqual(['error']);
});
