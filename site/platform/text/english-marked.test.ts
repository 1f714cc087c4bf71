import { expect, it } from 'vitest';
import { EnglishTexts } from '#content/english-texts.ts';
import { withEnglishMarked } from './english-marked.ts';

const english = new EnglishTexts({ 'x.save': 'Save' }, {});
const page = (type: string): Response =>
  new Response('<h1>Save</h1>', {
    status: 404,
    headers: [
      ['content-type', type],
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ],
  });

it('marks a page of a language that lacks texts, with its status and headers', async () => {
  const marked = await withEnglishMarked(page('text/html; charset=utf-8'), 'de-DE', english);
  expect(await marked.text()).toBe('<h1 lang="en">Save</h1>');
  expect([marked.status, marked.headers.getSetCookie()]).toEqual([404, ['a=1', 'b=2']]);
});

it('returns what is no HTML as it is, and every page of a language that lacks nothing', async () => {
  const data = page('application/json');
  expect(await withEnglishMarked(data, 'de-DE', english)).toBe(data);
  const whole = page('text/html');
  expect(await withEnglishMarked(whole, 'en-US')).toBe(whole);
});
