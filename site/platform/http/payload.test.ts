import { expect, test } from 'vitest';
import { pageOfPayload, payloadOf, payloadOfPage } from './payload.ts';

test('the payload of a page is below its path', () => {
  expect(pageOfPayload('/mod/lanternroot/_payload.json')).toBe('/mod/lanternroot');
  expect(pageOfPayload('/_payload.json')).toBe('/');
  expect(pageOfPayload('/mods')).toBeNull();
  expect(payloadOfPage('/')).toBe('/_payload.json');
  expect(payloadOfPage('/mods?page=2')).toBe('/mods/_payload.json?page=2');
});

test('answers what the page exposed', async () => {
  const answer = payloadOf(new Response('<p>page</p>'), { total: 3 });
  expect(answer.headers.get('content-type')).toContain('application/json');
  expect(await answer.json()).toEqual({ total: 3 });
});

test('a moved page redirects to its new payload', () => {
  const moved = new Response(null, { status: 301, headers: { location: '/mod/lanternroot?c=beta' } });
  const answer = payloadOf(moved, undefined);
  expect([answer.status, answer.headers.get('location')]).toEqual([
    301,
    '/mod/lanternroot/_payload.json?c=beta',
  ]);
});

test('a page that exposes nothing answers 404', async () => {
  const answer = payloadOf(new Response('<p>page</p>'), undefined);
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ error: 'not_found' });
});
