import { expect, test } from 'vitest';
import { type ApiResult, offline } from './api-client.ts';
import { createFollowToggle } from './follow.store.ts';

const done: ApiResult<null> = { ok: true, data: null };

/** A server whose answers the test triggers. */
function server() {
  const requests: boolean[] = [];
  const waiting: Array<(result: ApiResult<unknown>) => void> = [];
  const send = (follow: boolean) =>
    new Promise<ApiResult<unknown>>((resolve) => {
      requests.push(follow);
      waiting.push(resolve);
    });
  return { requests, send, answer: (result: ApiResult<unknown>) => waiting.shift()!(result) };
}

test('shows a click before the server answers', async () => {
  const { requests, send, answer } = server();
  const { $follows, set } = createFollowToggle(send);
  const result = set(true);
  expect([$follows.get(), requests]).toEqual([true, [true]]);
  answer(done);
  expect([await result, $follows.get()]).toEqual([done, true]);
});

test('reverts it and gives the reason when the server refuses', async () => {
  const { send, answer } = server();
  const { $follows, learn, set } = createFollowToggle(send);
  learn(true);
  const result = set(false);
  expect($follows.get()).toBe(false);
  answer(offline);
  expect([await result, $follows.get()]).toEqual([offline, true]);
});

test('sends only the result of many clicks, one request at a time', async () => {
  const { requests, send, answer } = server();
  const { $follows, set } = createFollowToggle(send);
  const result = set(true);
  expect(await set(false)).toEqual(done);
  await set(true);
  await set(false);
  expect([$follows.get(), requests]).toEqual([false, [true]]);
  answer(done);
  await expect.poll(() => requests).toEqual([true, false]);
  answer(done);
  expect([await result, $follows.get(), requests]).toEqual([done, false, [true, false]]);
});

test('sends nothing for a state that the server already has', async () => {
  const { requests, send } = server();
  const { learn, set } = createFollowToggle(send);
  learn(true);
  expect([await set(true), requests]).toEqual([done, []]);
});

test('an older answer about the user does not revert a click', async () => {
  const { send, answer } = server();
  const { $follows, learn, set } = createFollowToggle(send);
  const result = set(true);
  learn(false);
  expect($follows.get()).toBe(true);
  answer(done);
  await result;
  expect($follows.get()).toBe(true);
});
