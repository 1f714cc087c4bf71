import { beforeEach, expect, test, vi } from 'vitest';
import { islandMessages } from '#content/island-messages.ts';
import { messages } from '#content/messages.ts';
import { type ApiResult, offline } from './api-client.ts';
import { $outage } from './connection.store.ts';
import { mutate, sendWaiting } from './mutate.ts';
import { $toasts } from './toasts.store.ts';

const refused = (status: number, code: string, description = 'Because.'): ApiResult<never> => ({
  ok: false,
  error: { status, code, description, details: {} },
});
const done = (data: string): ApiResult<string> => ({ ok: true, data });

/** Answers one request after the other. */
const answers = (...results: Array<ApiResult<string>>) => vi.fn(async () => results.shift()!);
const titles = () => $toasts.get().map(({ title, text }) => `${title}: ${text}`);
let visited: string[];

beforeEach(() => {
  $toasts.set([]);
  visited = [];
  const texts = islandMessages(messages('en-US'), 'shell.problem_', 'form.offline');
  const place = { dataset: { messages: JSON.stringify(texts) } };
  const to = { href: 'http://site/mod/x?hl=de-DE', pathname: '/mod/x', search: '?hl=de-DE', hash: '' };
  vi.stubGlobal('document', { querySelector: () => place });
  vi.stubGlobal('location', { ...to, assign: (path: string | URL) => visited.push(String(path)) });
  const stored = new Map<string, string>();
  vi.stubGlobal('sessionStorage', { setItem: (key: string, text: string) => stored.set(key, text), stored });
  return () => vi.unstubAllGlobals();
});

test('gives the result, shows it, says that it worked and leads on', async () => {
  const refresh = vi.fn();
  const success = { title: 'Done', text: '' };
  const result = await mutate({ send: answers(done('x')), refresh, success });
  expect([result, refresh.mock.calls, titles(), visited]).toEqual([done('x'), [['x']], ['Done: '], []]);
  $toasts.set([]);
  await mutate({ send: answers(done('y')), success, redirect: (data) => `/to/${data}` });
  // the next page says it
  expect([titles(), visited]).toEqual([[], ['/to/y']]);
  const { stored } = sessionStorage as unknown as { stored: Map<string, string> };
  expect(JSON.parse(stored.get('toast')!)).toEqual({ ...success, type: 'success' });
});

test('a refusal is one toast with its text, however often it is repeated', async () => {
  const refresh = vi.fn();
  const send = () => Promise.resolve(refused(400, 'limit_reached'));
  for (let attempt = 0; attempt < 3; attempt += 1) await mutate({ send, refresh, repeatable: true });
  expect($toasts.get()).toMatchObject([
    { title: 'An error occurred', text: 'Because.', error_code: 'limit_reached', count: 3, type: 'error' },
  ]);
  expect(refresh).not.toHaveBeenCalled();
});

test('what the banner about the connection says is not said again', async () => {
  $outage.set('offline');
  await mutate({ send: answers(offline) });
  $outage.set('limited');
  await mutate({ send: answers(refused(429, 'rate_limited')) });
  expect(titles()).toEqual([]);
  await mutate({ send: answers(refused(400, 'limit_reached')) });
  expect(titles()).toEqual(['An error occurred: Because.']);
  $outage.set(null);
});

test('without an answer, and with one that is not ours, the page has a text', async () => {
  await mutate({ send: answers(offline) });
  await mutate({ send: answers(refused(502, 'internal_error', '')) });
  expect(titles()).toEqual([
    `An error occurred: ${messages('en-US').t('form.offline')}`,
    `An error occurred: ${messages('en-US').t('shell.problem_text')}`,
  ]);
});

test.each([
  [0, true],
  [429, true],
  [500, true],
  [503, true],
  [400, false],
  [401, false],
  [404, false],
  [409, false],
])('after %i there is a button to try again: %s', async (status, offered) => {
  await mutate({ send: answers(refused(status, 'some_code')), repeatable: true });
  expect($toasts.get().map(({ retry }) => retry !== undefined)).toEqual([offered]);
});

test('there is none where a second attempt could do it twice', async () => {
  await mutate({ send: answers(offline) });
  expect($toasts.get()[0]!.retry).toBeUndefined();
});

test('trying again sends, shows and leads like the first attempt', async () => {
  const send = answers(offline, refused(503, 'busy'), done('x'));
  const refresh = vi.fn();
  await mutate({ send, refresh, repeatable: true, redirect: () => '/there' });
  $toasts.get()[0]!.retry!();
  await expect.poll(() => $toasts.get().map(({ error_code }) => error_code)).toEqual(['offline', 'busy']);
  $toasts.get()[1]!.retry!();
  await expect.poll(() => visited).toEqual(['/there']);
  expect([send.mock.calls.length, refresh.mock.calls]).toEqual([3, [['x']]]);
});

test('a caller who is not signed in is led to sign-in and back, without a toast', async () => {
  for (const code of ['authentication_required', 'token_invalid', 'auth_error'])
    await mutate({ send: answers(refused(401, code)), refused: () => true });
  const signIn = 'http://site/auth/sign-in?redirect=%2Fmod%2Fx%3Fhl%3Dde-DE&hl=de-DE';
  expect([visited, titles()]).toEqual([[signIn, signIn, signIn], []]);
});

test('who lacks a permission is told so instead', async () => {
  await mutate({ send: answers(refused(401, 'permission_missing')) });
  expect([visited, titles()]).toEqual([[], ['An error occurred: Because.']]);
});

test('a refusal that is shown in place is not shown again', async () => {
  const shown = vi.fn(({ code }: { code: string }) => code === 'invalid_input');
  await mutate({ send: answers(refused(400, 'invalid_input')), refused: shown });
  expect(titles()).toEqual([]);
  await mutate({ send: answers(refused(400, 'other')), refused: shown });
  expect(titles()).toEqual(['An error occurred: Because.']);
});

test('a page without toasts stays as it is', async () => {
  vi.stubGlobal('document', { querySelector: () => null });
  expect(await mutate({ send: answers(offline) })).toEqual(offline);
  expect(titles()).toEqual([]);
});

test('a refusal that can be resolved has its next step as a button, and leads back to this page', async () => {
  const step = { text: 'Verify address', to: '/auth/verify-email?redirect=' };
  const refusal: ApiResult<string> = {
    ok: false,
    error: { status: 401, code: 'email_unverified', description: 'Verify first.', details: { step } },
  };
  // said in place too, where nothing leads on
  await mutate({ send: answers(refusal), refused: () => true });
  const [toast] = $toasts.get();
  expect(toast).toMatchObject({ text: 'Verify first.', action: 'Verify address' });
  toast?.retry?.();
  expect(visited).toEqual(['/auth/verify-email?redirect=%2Fmod%2Fx%3Fhl%3Dde-DE']);
  $toasts.set([]);
  await mutate({ send: answers(refusal), refused: () => true, shows_step: true });
  expect(titles()).toEqual([]);
});

test('what waits for a verified address goes on once it is verified, the last one only, and once', async () => {
  const unverified = refused(401, 'email_unverified');
  const [first, second] = [answers(unverified, done('1')), answers(unverified, done('2'))];
  const shown: string[] = [];
  await mutate({ send: first, refresh: (data) => shown.push(data) });
  await mutate({ send: second, refresh: (data) => shown.push(data) });
  sendWaiting();
  await vi.waitFor(() => expect(shown).toEqual(['2']));
  sendWaiting();
  await mutate({ send: answers(refused(400, 'limit_reached')) });
  sendWaiting();
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 2]);
});
