import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { __vitePreload as preload } from './preload.ts';

interface Link {
  href: string;
  rel: string;
  onload(): void;
  onerror(): void;
  remove(): void;
}
let links: Link[] = [];
let reported: unknown[] = [];
let isHandled = false;

beforeEach(() => {
  links = [];
  reported = [];
  isHandled = false;
  vi.stubGlobal('document', {
    createElement: () => ({
      remove() {
        links = links.filter((one) => one !== this);
      },
    }),
    querySelector: (selector: string) =>
      links.find(({ href }) => selector === `link[href="${href}"]`) ?? null,
    head: { append: (link: Link) => links.push(link) },
  });
  vi.stubGlobal('dispatchEvent', (event: Event & { payload: unknown }) => {
    reported.push([event.type, (event.payload as Error).message]);
    return !isHandled;
  });
});
afterEach(() => vi.unstubAllGlobals());

test('loads after its style sheets, with the scripts it needs asked for, each once', async () => {
  const load = vi.fn(async () => 'loaded');
  const both = [preload(load, ['one.js', 'one.css']), preload(load, ['one.js', 'one.css'])];
  expect(links.map(({ href, rel }) => [href, rel])).toEqual([
    ['/one.js', 'modulepreload'],
    ['/one.css', 'stylesheet'],
  ]);
  await new Promise(setImmediate);
  expect(load).not.toHaveBeenCalled();
  links[1]!.onload();
  expect(await Promise.all(both)).toEqual(['loaded', 'loaded']);
  expect(await preload(async () => 'without')).toBe('without');
});

test('a style sheet of the page is there already', async () => {
  links = [{ href: '/page.css' } as Link];
  expect(await preload(async () => 'loaded', ['page.css'])).toBe('loaded');
  expect(links).toHaveLength(1);
});

test('says what could not be loaded, once, and tries again the next time', async () => {
  const load = vi.fn(async () => 'loaded');
  const first = preload(load, ['two.css']);
  links[0]!.onerror();
  await expect(first).rejects.toThrow('Unable to preload CSS');
  expect(reported).toEqual([['vite:preloadError', 'Unable to preload CSS']]);
  expect([load.mock.calls.length, links.length]).toEqual([0, 0]);
  const second = preload(load, ['two.css']);
  links[0]!.onload();
  expect(await second).toBe('loaded');

  const lost = async () => await Promise.reject(new Error('gone'));
  await expect(preload(lost)).rejects.toThrow('gone');
  isHandled = true; // the page is loaded again
  expect(await preload(lost)).toBeUndefined();
  expect(reported).toHaveLength(3);
});
