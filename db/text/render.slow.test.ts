import { afterAll, describe, expect, test } from 'vitest';
import { createRenderer, escapedSource, RENDERER_VERSION, SAFE_VERSIONS, safeHtml } from './render.ts';

const renderer = createRenderer();
afterAll(() => renderer.close());

test('a text comes back with its HTML and the version that made it', async () => {
  expect(await renderer.render('*a*')).toEqual({
    source: '*a*',
    html: '<p><em>a</em></p>',
    version: RENDERER_VERSION,
  });
  expect((await renderer.render('')).html).toBe('');
});

describe('hostile texts end within seconds, and the next text is rendered', () => {
  test.each([
    ['deep lists', '- '.repeat(30_000), true],
    ['deep quotes', '>'.repeat(60_000), true],
    ['50,000 open elements', '<div>'.repeat(50_000), true],
    ['open elements within the length', '<div>'.repeat(13_000), true],
    ['tags that pretend to close', '<q><p></q></p>'.repeat(4300), false],
    ['open pictures', '!['.repeat(2000), false],
    ['crossed emphasis', '_*'.repeat(8000), true],
    ['small text that grows', `${'<b>'.repeat(90)}${'<p>x'.repeat(16_000)}`, false],
  ])('%s', async (_name, source, refused) => {
    const begun = performance.now();
    const { html } = await renderer.render(source);
    expect(performance.now() - begun).toBeLessThan(8000);
    if (refused) expect(html).toBe(escapedSource(source));
    expect(html.length).toBeLessThanOrEqual(1_000_000);
    expect((await renderer.render('after')).html).toBe('<p>after</p>');
  });
});

test('texts that wait do not lose their time: one endless text and twenty good ones', async () => {
  const endless = renderer.render('_*'.repeat(8000));
  const good = await Promise.all(Array.from({ length: 20 }, (_, index) => renderer.render(`# ${index}`)));
  expect(good.map(({ html }) => html)).toEqual(
    good.map((_, index) => `<h1 id="user-content-${index}">${index}</h1>`),
  );
  expect((await endless).html).toContain('<pre>_*_*');
});

test('texts that were stopped hold up nobody who waits', { timeout: 60_000 }, async () => {
  const endless = Array.from({ length: 6 }, (_, index) =>
    renderer.render('_*'.repeat(8000), { account: `hostile-${index}` }),
  );
  const good = Array.from({ length: 4 }, (_, index) =>
    renderer.render('*good*', { account: `person-${index}` }),
  );
  expect((await Promise.all(good)).map(({ html }) => html)).toEqual(Array(4).fill('<p><em>good</em></p>'));
  expect((await Promise.all(endless)).every(({ html }) => html.startsWith('<pre>'))).toBe(true);
});

test('a text of an account with too much markup is refused, one of a job is shown as its source', async () => {
  const source = 'a*'.repeat(20_001);
  await expect(renderer.render(source, { account: 'a' })).rejects.toMatchObject({ code: 'body_too_complex' });
  expect((await renderer.render(source)).html).not.toBe('');
});

test('a page shows HTML of safe versions only, else the source as text', () => {
  const stored = { source: '<b>&"', html: '<b>made</b>' };
  expect(SAFE_VERSIONS).toContain(RENDERER_VERSION);
  expect(safeHtml({ ...stored, version: RENDERER_VERSION })).toBe('<b>made</b>');
  expect(safeHtml({ ...stored, version: 0 })).toBe('<pre>&lt;b&gt;&amp;&quot;</pre>');
  expect(safeHtml({ source: '', html: '', version: 0 })).toBe('');
});
