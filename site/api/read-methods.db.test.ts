import { describe, expect, test } from 'vitest';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../testing/api.ts';

/** HEAD and OPTIONS on every route. */
const database = testDatabase();
const api = testApi(database);

/** Every path that is served with its methods, ids filled in. */
function paths(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { method, path } of api.app.routes) {
    if (method === 'ALL' || path.endsWith('*')) continue;
    const filled = path.replace(/:\w+(\{[^}]*\})?/g, 'AABBCCDD');
    found.set(filled, (found.get(filled) ?? new Set()).add(method));
  }
  return found;
}
const isPublic = (path: string) => !path.startsWith('/_internal');

describe('HEAD', () => {
  test('answers as GET without a body, on every route with GET', async () => {
    const wrong: unknown[] = [];
    let tried = 0;
    for (const [path, methods] of paths()) {
      if (!methods.has('GET') || methods.has('HEAD')) continue;
      tried++;
      const [get, head] = [await api.call('GET', path), await api.call('HEAD', path)];
      await get.body?.cancel();
      const types = [get, head].map(({ headers }) => headers.get('content-type'));
      if (get.status !== head.status || types[0] !== types[1] || (await head.text()) !== '')
        wrong.push([path, get.status, head.status, ...types]);
    }
    expect([tried > 150, wrong]).toEqual([true, []]);
  });

  test('is unknown where there is no GET', async () => {
    for (const [path, methods] of paths())
      if (!methods.has('GET') && !methods.has('HEAD')) {
        const { status } = await api.call('GET', path); // of another route, where it is not 404
        expect([path, (await api.call('HEAD', path)).status]).toEqual([path, status]);
      }
  });
});

test('OPTIONS names what other origins may send, on every public route and on no internal one', async () => {
  const own = '/_internal/uploads'; // a protocol that answers OPTIONS itself
  for (const path of paths().keys()) {
    if (path.startsWith(own)) continue;
    const { status, headers } = await api.call('OPTIONS', path);
    const given = [path, status, headers.get('access-control-allow-methods')];
    if (isPublic(path)) expect(given).toEqual([path, 204, 'GET,POST,PUT,PATCH,DELETE,HEAD,OPTIONS']);
    else expect(given).toEqual([path, 404, null]);
    expect([path, headers.get('access-control-allow-origin')]).toEqual([path, isPublic(path) ? '*' : null]);
  }
});
