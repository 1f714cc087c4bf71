import { expect, test } from 'vitest';
import { isTest } from './bin/architecture/contents.ts';
import { projectSources } from './bin/architecture/source-tree.ts';

/** Files of the site that may call `fetch`: on servers, and in browsers where the client cannot do it. */
const exceptions: Record<string, string> = {
  'site/platform/browser/api-client.ts': 'the client itself',
  'site/hosting/panel/transfer-way.ts': 'the machine of a server, which is another origin',
  'site/hosting/checkout/scripts/ping.ts':
    'addresses of regions, which are other origins: only the time counts',
  'site/discovery/docs/reference/examples.ts': 'text of examples',
  'site/accounts/providers/bounded-request.ts': 'the server, to sign-in providers',
  'site/accounts/sign-in/captcha.ts': 'the server, to the captcha',
  'site/api/listener.ts': 'the server: the API of this process',
  'site/platform/ready-answers/ready-answers.ts': 'the server: the API of this process',
  'site/platform/http/page-cache/purge.ts': 'the server, to a CDN',
  'site/platform/http/image-proxy.ts': 'the server: a function of this name of its own',
};

/** Service workers answer requests of pages and have no client; uploads by tus send their own requests. */
test('no island or script of a page calls fetch: the client does', () => {
  const tree = projectSources();
  const calling = tree.paths.filter(
    (path) =>
      path.startsWith('site/') &&
      !path.startsWith('site/public/') &&
      !isTest(path) &&
      /(?<![\w.#])fetch\(|\b(?:window|globalThis|self)\.fetch\b/.test(tree.code(path)),
  );
  expect(calling.sort()).toEqual(Object.keys(exceptions).sort());
});
