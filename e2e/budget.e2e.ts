import { brotliCompressSync } from 'node:zlib';
import { expect, type Page, type Response, test } from 'playwright/test';

/** What one visit loads besides user images, which all lie under /data/. Source: issue 3, Speed to reach. */
async function visit(page: Page, path: string, then: () => Promise<void> = async () => {}) {
  const seen: Response[] = [];
  page.on('response', (response) => seen.push(response));
  await page.goto(path, { waitUntil: 'networkidle' });
  await then();
  const ours = seen.filter((response) => !new URL(response.url()).pathname.startsWith('/data/'));
  const scripts = ours.filter((response) =>
    response.headers()['content-type']?.startsWith('text/javascript'),
  );
  const bodies = await Promise.all(scripts.map((response) => response.body()));
  const inline = await page.evaluate(() =>
    [...document.scripts]
      .filter((script) => !script.src && script.type !== 'application/ld+json')
      .map((script) => script.text),
  );
  const styles = ours.filter((response) => response.headers()['content-type']?.startsWith('text/css'));
  const compressed = (texts: Array<string | Buffer>) =>
    texts.reduce((sum, text) => sum + brotliCompressSync(text).length, 0);
  return {
    requests: ours.length,
    script_bytes: compressed([...bodies, ...inline]),
    style_bytes: compressed(await Promise.all(styles.map((response) => response.body()))),
    encodings: new Set(scripts.map((response) => response.headers()['content-encoding'])),
  };
}

test('a project page ships at most 15 kB of script before anything is done', async ({ page }) => {
  const { requests, script_bytes, style_bytes, encodings } = await visit(page, '/mod/lanternroot');
  expect(script_bytes).toBeLessThanOrEqual(15_000);
  expect(requests).toBeLessThanOrEqual(20);
  expect(style_bytes).toBeLessThanOrEqual(12_000);
  expect([...encodings]).toEqual(['br']);
});

test('a search screen ships at most 90 kB of script with everything loaded', async ({ page }) => {
  const { requests, script_bytes } = await visit(page, '/mods', async () => {
    await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('lan');
    await expect(page).toHaveURL('/mods?q=lan');
  });
  expect(script_bytes).toBeLessThanOrEqual(90_000);
  expect(requests).toBeLessThanOrEqual(20);
});

test('home stays within 20 requests', async ({ page }) => {
  const { requests, script_bytes } = await visit(page, '/');
  expect(requests).toBeLessThanOrEqual(20);
  expect(script_bytes).toBeLessThanOrEqual(15_000);
});

test('a profile ships at most 15 kB of script', async ({ page }) => {
  const { requests, script_bytes, style_bytes } = await visit(page, '/user/fen');
  expect(requests).toBeLessThanOrEqual(20);
  expect(script_bytes).toBeLessThanOrEqual(15_000);
  expect(style_bytes).toBeLessThanOrEqual(12_000);
});
