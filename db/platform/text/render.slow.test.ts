import { afterAll, describe, expect, test } from 'vitest';
import { parseSettings } from '../runtime/env.ts';
import { createRenderer, escapedSource, RENDERER_VERSION, SAFE_VERSIONS, safeHtml } from './render.ts';

/** Needs some ten seconds, far over the limit on any machine, and has just less markup than is refused at once. */
const endlessText = '*a_ '.repeat(9900);

/** Less time than texts usually have: an endless one takes all of it. */
const renderer = createRenderer(parseSettings({}), undefined, 600);
afterAll(() => renderer.close());

test('returns the HTML of a text and the renderer version', async () => {
  expect(await renderer.render('*a*')).toEqual({
    source: '*a*',
    html: '<p><em>a</em></p>',
    version: RENDERER_VERSION,
  });
  expect((await renderer.render('')).html).toBe('');
});

describe('stops hostile texts, and renders the next text', () => {
  test.each([
    ['deep lists', '- '.repeat(30_000), true],
    ['deep quotes', '>'.repeat(60_000), true],
    ['50,000 open elements', '<div>'.repeat(50_000), true],
    ['open elements within the length', '<div>'.repeat(13_000), true],
    ['tags that pretend to close', '<q><p></q></p>'.repeat(4300), false],
    ['open pictures', '!['.repeat(2000), false],
    ['crossed emphasis', endlessText, true],
    ['small text that grows', `${'<b>'.repeat(90)}${'<p>x'.repeat(16_000)}`, false],
  ])('%s', async (_name, source, refused) => {
    const { html } = await renderer.render(source);
    if (refused) expect(html).toBe(escapedSource(source));
    expect(html.length).toBeLessThanOrEqual(1_000_000);
    expect((await renderer.render('after')).html).toBe('<p>after</p>');
  });
});

test('time in the queue does not count: one endless text and twenty good ones', async () => {
  const endless = renderer.render(endlessText);
  const good = await Promise.all(Array.from({ length: 20 }, (_, index) => renderer.render(`# ${index}`)));
  expect(good.map(({ html }) => html)).toEqual(
    good.map((_, index) => `<h1 id="user-content-${index}">${index}</h1>`),
  );
  expect((await endless).html).toContain('<pre>*a_ *a_');
});

test('stopped texts do not block queued ones', { timeout: 60_000 }, async () => {
  const endless = Array.from({ length: 6 }, (_, index) =>
    renderer.render(endlessText, { account: `hostile-${index}` }),
  );
  const good = Array.from({ length: 4 }, (_, index) =>
    renderer.render('*good*', { account: `person-${index}` }),
  );
  expect((await Promise.all(good)).map(({ html }) => html)).toEqual(Array(4).fill('<p><em>good</em></p>'));
  expect((await Promise.all(endless)).every(({ html }) => html.startsWith('<pre>'))).toBe(true);
});

test('refuses too much markup from an account, shows its source for a job', async () => {
  const source = 'a*'.repeat(20_001);
  await expect(renderer.render(source, { account: 'a' })).rejects.toMatchObject({ code: 'body_too_complex' });
  expect((await renderer.render(source)).html).not.toBe('');
});

test('shows HTML of safe renderer versions only, else the source as text', () => {
  const stored = { source: '<b>&"', html: '<b>made</b>' };
  expect(SAFE_VERSIONS).toContain(RENDERER_VERSION);
  expect(safeHtml({ ...stored, version: RENDERER_VERSION })).toBe('<b>made</b>');
  expect(safeHtml({ ...stored, version: 0 })).toBe('<pre>&lt;b&gt;&amp;&quot;</pre>');
  expect(safeHtml({ source: '', html: '', version: 0 })).toBe('');
});
