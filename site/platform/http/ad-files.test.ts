import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { ownAdNetwork } from '#db/money/ads/own-network.ts';
import { adFiles } from './ad-files.ts';

const bytes = Buffer.from('<svg/>');
const files = new Map([['/ads/0123456789ab.svg', { type: 'image/svg+xml', bytes }]]);
const serve = adFiles(ownAdNetwork({ ads: [], files }, { rate: 0, day_max: 1 }));

function ask(path: string, { method = 'GET', cookie }: { method?: string; cookie?: string } = {}) {
  const sent = { status: 0, headers: {} as Record<string, unknown>, body: '' };
  const res = {
    writeHead: (status: number, headers: Record<string, unknown>) => Object.assign(sent, { status, headers }),
    end: (body?: Buffer) => {
      sent.body = body?.toString() ?? '';
    },
  } as unknown as ServerResponse;
  const answered = serve({ method, headers: { cookie } } as unknown as IncomingMessage, res, path);
  return answered ? sent : null;
}

test('serves pictures of ads for ever, as pictures only', () => {
  const sent = ask('/ads/0123456789ab.svg');
  expect(sent).toMatchObject({ status: 200, body: '<svg/>' });
  expect(sent!.headers).toMatchObject({
    'content-type': 'image/svg+xml',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining('sandbox'),
  });
  expect(ask('/ads/0123456789ab.svg', { method: 'HEAD' })!.body).toBe('');
});

test('hides ads from whoever is signed in and has no scripts', () => {
  const path = '/ads/signed-in.css';
  for (const cookie of ['auth-token=abc', 'a=b; __Host-auth-token=abc; c=d'])
    expect(ask(path, { cookie })!.body).toBe('.ad-slot{display:none}');
  for (const cookie of [undefined, '', 'not-auth-token=abc', 'auth-token=', 'a=auth-token=abc'])
    expect(ask(path, cookie === undefined ? {} : { cookie })!.body, cookie).toBe('');
  expect(ask(path)!.headers['cache-control']).toBe('private, no-store');
});

test('leaves everything else to others', () => {
  expect(ask('/ads/unknown.png')).toBeNull();
  expect(ask('/mods')).toBeNull();
  expect(ask('/ads/0123456789ab.svg', { method: 'POST' })).toBeNull();
  expect(adFiles(null)({ method: 'GET', headers: {} } as IncomingMessage, {} as never, '/ads/x')).toBe(false);
});
