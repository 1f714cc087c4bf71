import { EventEmitter } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createLog } from '#db/platform/runtime/log.ts';
import { createRegistry } from '#db/platform/runtime/metrics.ts';
import { requestLog } from './request-log.ts';

/** What a request with this address leaves in the log at its most talkative. */
function logged(url: string): string {
  let text = '';
  const to = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  const requests = requestLog(createLog('site', 'trace', to), createRegistry('test'), { clients: true });
  const res = Object.assign(new EventEmitter(), { statusCode: 200, writableFinished: true });
  const watched = requests.watch({ url, method: 'GET' } as IncomingMessage, res as unknown as ServerResponse);
  watched.client = { address: '192.0.2.1', network: '192.0.2.1', user_id: 'AAAAAAAA' };
  res.emit('close');
  return text;
}

test.each([
  '/mods?code=mra_secret',
  '/auth/welcome?redirect=%2F&authToken=mra_secret',
  '/_internal/launcher_socket?code=mra_secret',
  '/data/AAAAAAAA/versions/BBBBBBBB/a.jar?access=secret',
  '/auth/verify-email?flow=secret',
])('the log of requests holds no query: %s', (url) => {
  expect(logged(url)).toContain(`"path":"${url.split('?')[0]}"`);
  expect(logged(url)).not.toContain('secret');
});

test('no other process logs the addresses of requests', () => {
  const root = new URL('../../../', import.meta.url).pathname;
  const logging = globSync(['control-plane/**/*.ts', 'agents/**/*.ts', 'db/**/*.ts', 'site/**/*.ts'], {
    cwd: root,
  })
    .filter((path) => !/\.test\.ts$|\/testing\//.test(path))
    .filter((path) =>
      /\blog\.(trace|debug|info|warn|error)\([^)]*\breq(uest)?\.url\b/.test(
        readFileSync(root + path, 'utf8'),
      ),
    );
  expect(logging).toEqual([]);
});
