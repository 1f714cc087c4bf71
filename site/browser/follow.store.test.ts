import { expect, test } from 'vitest';
import type { ApiError } from './api-client.ts';
import { createFollowToggle } from './follow.store.ts';

const problem: ApiError = { status: 0, code: 'offline', description: '', details: {} };

/** A server whose answers the test triggers. */
function server() {
  const asked: boolean[] = [];
  const waiting: Array<(error: ApiError | null) => void> = [];
  const send = (follow: boolean) =>
    new Promise<ApiError | null>((resolve) => {
      asked.push(follow);
      waiting.push(resolve);
    });
  return { asked, send, answer: (error: ApiError | null) => waiting.shift()!(error) };
}

test('shows a click before the server answers', async () => {
  const { asked, send, answer } = server();
  const { $follows, toggle } = createFollowToggle(send);
  const done = toggle();
  expect([$follows.get(), asked]).toEqual([true, [true]]);
  answer(null);
  expect([await done, $follows.get()]).toEqual([null, true]);
});

test('reverts it and gives the reason when the server refuses', async () => {
  const { send, answer } = server();
  const { $follows, learn, toggle } = createFollowToggle(send);
  learn(true);
  const done = toggle();
  expect($follows.get()).toBe(false);
  answer(problem);
  expect([await done, $follows.get()]).toEqual([problem, true]);
});

test('sends only the result of many clicks, one request at a time', async () => {
  const { asked, send, answer } = server();
  const { $follows, toggle } = createFollowToggle(send);
  const done = toggle();
  await toggle();
  await toggle();
  await toggle();
  expect([$follows.get(), asked]).toEqual([false, [true]]);
  answer(null);
  await expect.poll(() => asked).toEqual([true, false]);
  answer(null);
  expect([await done, $follows.get(), asked]).toEqual([null, false, [true, false]]);
});

test('an older answer about the user does not revert a click', async () => {
  const { send, answer } = server();
  const { $follows, learn, toggle } = createFollowToggle(send);
  const done = toggle();
  learn(false);
  expect($follows.get()).toBe(true);
  answer(null);
  await done;
  expect($follows.get()).toBe(true);
});
