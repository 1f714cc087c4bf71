import { expect, test } from 'vitest';
import { pageOfPayload, payloadOf, payloadOfPage } from './payload.ts';

test('the data of a page lies below its path', () => {
  expect(pageOfPayload('/mod/lanternroot/_payload.json')).toBe('/mod/lanternroot');
  expect(pageOfPayload('/_payload.json')).toBe('/');
  expect(pageOfPayload('/mods')).toBeNull();
  expect(payloadOfPage('/')).toBe('/_payload.json');
  expect(payloadOfPage('/mods?page=2')).toBe('/mods/_payload.json?page=2');
});

test('what the page told is the answer', async () => {
  const answer = payloadOf(new Response('<p>page</p>'), { total: 3 });
  expect(answer.headers.get('content-type')).toContain('application/json');
  expect(await answer.json()).toEqual({ total: 3 });
});

test('a page that moved takes its data along', () => {
  const moved = new Response(null, { status: 301, headers: { location: '/mod/lanternroot?c=beta' } });
  const answer = payloadOf(moved, undefined);
  expect([answer.status, answer.headers.get('location')]).toEqual([
    301,
    '/mod/lanternroot/_payload.json?c=beta',
  ]);
});

test('a page that tells nothing has no data', async () => {
  const answer = payloadOf(new Response('<p>page</p>'), undefined);
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ error: 'not_found' });
});
