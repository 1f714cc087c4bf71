import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { describe, expect, test, vi } from 'vitest';

const source = readFileSync(new URL('../../public/service-worker.js', import.meta.url), 'utf8');

interface FakeEvent {
  request?: { mode: string; method: string };
  preloadResponse?: Promise<Response | undefined>;
  waitUntil?(work: Promise<unknown>): void;
  respondWith?(answer: Promise<Response>): void;
}

/** The worker as a browser runs it with this query in its address, and the names of the caches it has. */
function started(query: string, kept: string[] = []) {
  const names = new Set(kept);
  const listeners = new Map<string, (event: FakeEvent) => void>();
  const add = vi.fn((_: { url: string; cache: string }) => Promise.resolve());
  const unregister = vi.fn();
  const network = vi.fn(async () => new Response('a page'));
  runInNewContext(source, {
    URL,
    Response,
    location: { href: `https://site.test/service-worker.js${query}` },
    Request: function request(url: string, { cache }: { cache: string }) {
      return { url, cache };
    },
    caches: {
      keys: async () => [...names],
      delete: async (name: string) => names.delete(name),
      open: async (name: string) => {
        names.add(name);
        return { add, match: async () => new Response('offline page') };
      },
    },
    registration: { unregister, navigationPreload: { enable: async () => {} } },
    skipWaiting: async () => {},
    fetch: network,
    addEventListener: (name: string, listener: (event: FakeEvent) => void) => listeners.set(name, listener),
  });
  const run = async (name: string) => {
    let work: Promise<unknown> = Promise.resolve();
    listeners.get(name)!({ waitUntil: (given) => (work = given) });
    await work;
  };
  const answer = async (request: { mode: string; method: string }) => {
    let given: Promise<Response> | null = null;
    listeners.get('fetch')!({
      request,
      preloadResponse: Promise.resolve(undefined),
      respondWith: (response) => (given = response),
    });
    return await (given as Promise<Response> | null);
  };
  return { names, add, unregister, network, run, answer };
}
const page = { mode: 'navigate', method: 'GET' };

describe('the service worker', () => {
  test('keeps only the offline page of its build and language', async () => {
    const worker = started('?build=b2&hl=de-DE', ['offline b1 de-DE', 'something else']);
    await worker.run('install');
    expect(worker.add.mock.calls[0]![0]).toMatchObject({ url: '/offline?hl=de-DE', cache: 'reload' });
    await worker.run('activate');
    expect([...worker.names].sort()).toEqual(['offline b2 de-DE', 'something else']);
  });

  test('answers a page from the network, and with the offline page only when that fails', async () => {
    const worker = started('?build=b2&hl=de-DE');
    expect(await (await worker.answer(page))!.text()).toBe('a page');
    worker.network.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    const failed = (await worker.answer(page))!;
    expect([failed.status, await failed.text()]).toEqual([503, 'offline page']);
    worker.network.mockResolvedValueOnce(new Response('broken', { status: 500 }));
    expect(await (await worker.answer(page))!.text()).toBe('broken');
  });

  test('leaves everything else to the browser', async () => {
    const worker = started('?build=b2&hl=de-DE');
    for (const request of [
      { mode: 'cors', method: 'GET' },
      { mode: 'no-cors', method: 'GET' },
      { mode: 'navigate', method: 'POST' },
    ])
      expect(await worker.answer(request)).toBeNull();
  });

  test('removes itself and what it kept', async () => {
    const worker = started('?remove', ['offline b1 en-US', 'something else']);
    await worker.run('install');
    await worker.run('activate');
    expect([...worker.names]).toEqual(['something else']);
    expect(worker.unregister).toHaveBeenCalledOnce();
    expect(await worker.answer(page)).toBeNull();
  });
});
