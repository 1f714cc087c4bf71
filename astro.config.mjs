import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import node from '@astrojs/node';
import react from '@astrojs/react';
import { defineConfig, sharpImageService } from 'astro/config';
import i18next from 'astro-i18next';
import { minifySync } from 'vite';
import { codeClasses, codeTheme } from '#site/platform/static-pages/code-theme.ts';
import { embedHosts, mediaHosts } from './db/platform/text/hosts.ts';

/** The scripts that run before anything is painted: one sets the theme from the cookies, one scrolls tabs. They are in every page. */
const inline = new Map(
  ['first', 'current-tab-in-view'].map((name) => {
    const path = fileURLToPath(new URL(`./site/platform/ui/scripts/${name}.js`, import.meta.url));
    return [path, minifySync(path, readFileSync(path, 'utf8')).code];
  }),
);
const sha256 = (/** @type {string} */ bytes) =>
  /** @type {const} */ (`sha256-${createHash('sha256').update(bytes).digest('base64')}`);

const hosts = (/** @type {readonly string[]} */ names) => names.map((name) => `https://${name}`).join(' ');

/**
 * Modules of the record and of the words stay outside the server's bundle, so that the process holds one instance of
 * each; browsers get the few rules they need bundled.
 * @type {import('vite').Plugin}
 */
const oneInstance = {
  name: 'cairn:one-instance',
  enforce: 'pre',
  apply: 'build',
  resolveId(id) {
    const ours = /^#(db|content)\//.test(id);
    return ours && this.environment.name !== 'client' ? { id, external: true } : null;
  },
};

/**
 * What several scripts of a page share travels in one file: a request each would cost more than the bytes. What only
 * writes need is left out, since most pages send none, and what only islands need of the stores.
 */
const shared = {
  name: 'shared',
  test: /\/site\/platform\/(browser(?!\/(mutate|sign-in|follow))|cosmetics|flags|layouts|text(?!\/(?:bytes|dates|linked|money|short-numbers)\.)|ui(?!\/(?:use-plot|late-style|scripts\/follow)\.))\/.*\.ts$|\/db\/platform\/runtime\/backoff\.ts$|\/nanostores\/(?!listen-keys|deep-map|map\/|computed\/|lifecycle\/|task\/)/,
  tags: ['$initial'],
  minShareCount: 2,
};
/** The same for what the search's script and islands share, and for the small parts of islands. Home needs no state of it, and who draws results no search. */
const searching = {
  name: 'searching',
  test: /\/site\/discovery\/search\/(?!state\.|extensions\.).*\.ts$/,
  minShareCount: 2,
};
const found = {
  name: 'found',
  test: /\/site\/(platform\/save-to-collection\/SaveButton|discovery\/search\/Chips|platform\/text\/MessagesContext|platform\/ui\/(Empty|Icon|ProjectIcon))\.tsx$|\/site\/(discovery\/search\/extensions\.store|platform\/text\/bytes)\.ts$|\/@nanostores\/react\//,
  minShareCount: 2,
};

/** What the charts of analytics and of revenue share: three files of a kilobyte each would compress worse. */
const charts = {
  name: 'charts',
  test: /\/site\/(discovery\/analytics\/(chart-lines|labels|line-style)|platform\/text\/short-numbers)\.ts$/,
  minShareCount: 2,
};

/**
 * Icons of islands without the frame and the line breaks of their files: `ui/Icon.tsx` draws a frame of its own.
 * @type {import('vite').Plugin}
 */
const bareIcons = {
  name: 'cairn:bare-icons',
  enforce: 'pre',
  load(id) {
    if (!/\/lucide-static\/icons\/[^/]+\.svg\?raw$/.test(id)) return;
    const svg = readFileSync(id.replace('?raw', ''), 'utf8');
    const shapes = svg.replace(/^[\s\S]*?<svg[^>]*>|<\/svg>\s*$/g, '').replaceAll(/\s*\n\s*/g, '');
    return { code: `export default ${JSON.stringify(shapes.replaceAll(' />', '/>'))}`, map: null };
  },
};

/**
 * Scripts that stand in pages, without their comments.
 * @type {import('vite').Plugin}
 */
const smallInline = {
  name: 'cairn:small-inline',
  enforce: 'pre',
  load(id) {
    const code = inline.get(id.replace('?raw', ''));
    return code === undefined ? undefined : { code: `export default ${JSON.stringify(code)}`, map: null };
  },
};

/**
 * Icons of pages without the namespace, which HTML has no use for, and the class names of the package, which no style sheet
 * uses: a page has a hundred icons.
 * @type {import('vite').Plugin}
 */
const leanIcons = {
  name: 'cairn:lean-icons',
  enforce: 'pre',
  transform(code, id) {
    if (id.endsWith('/@lucide/astro/src/utils/defaultAttributes.ts'))
      return code.replace(/\n *xmlns: .*/, '');
    if (id.endsWith('/@lucide/astro/src/utils/buildLucideIconNode.ts'))
      return code.replace("'lucide', ...iconClassNames, ", '');
  },
};

/**
 * What loads the files that a script names, in place of Vite's own, which is part of every page and three times as long.
 * @type {import('vite').Plugin}
 */
const smallPreload = {
  name: 'cairn:small-preload',
  enforce: 'pre',
  apply: 'build',
  resolveId(id) {
    if (id === '\0vite/preload-helper.js' && this.environment.name === 'client')
      return fileURLToPath(new URL('./site/platform/ui/preload.ts', import.meta.url));
  },
};

/**
 * Sockets of browsers speak WebSocket only (`servers/shared/socket.ts`); the client would bring what polls, and what
 * no browser of today needs, with it.
 * @type {import('vite').Plugin}
 */
const onlyWebSocket = {
  name: 'cairn:only-web-socket',
  apply: 'build',
  transform(_, id) {
    const [, file] = /\/engine\.io-client\/build\/esm\/transports\/(index|polling-xhr)\.js$/.exec(id) ?? [];
    if (this.environment.name !== 'client' || !file) return;
    const code =
      file === 'index'
        ? "import { WS } from './websocket.node.js'; export const transports = { websocket: WS };"
        : 'export class XHR {}';
    return { code, map: null };
  },
};

/**
 * Writes which sources each script of the browser holds, and how many bytes of it: `bench/pages/page-scripts.page.test.ts` names by it
 * what came onto a page.
 * @type {import('vite').Plugin}
 */
const scriptSources = {
  name: 'cairn:script-sources',
  apply: 'build',
  writeBundle({ dir }, bundle) {
    if (this.environment.name !== 'client' || !dir) return;
    const root = fileURLToPath(new URL('./', import.meta.url));
    const sourcesOf = (/** @type {import('vite').Rollup.OutputChunk} */ { modules }) =>
      Object.entries(modules).map(([id, { renderedLength }]) => [id.replace(root, ''), renderedLength]);
    const scripts = Object.values(bundle).flatMap((one) =>
      one.type === 'chunk' ? [[`/${one.fileName}`, { imports: one.imports, sources: sourcesOf(one) }]] : [],
    );
    writeFileSync(join(dir, '../script-sources.json'), JSON.stringify(Object.fromEntries(scripts)));
  },
};

/**
 * `client:use`, for islands that are loaded when one first goes to them.
 * @type {import('astro').AstroIntegration}
 */
const clientUse = {
  name: 'cairn:client-use',
  hooks: {
    'astro:config:setup': ({ addClientDirective }) =>
      addClientDirective({ name: 'use', entrypoint: './site/platform/ui/client-interaction.ts' }),
  },
};

// Where user content lies (CDN_URL) is known only when the product runs: middleware.ts adds it to img-src.
export default defineConfig({
  srcDir: './site',
  publicDir: './site/public',
  output: 'server',
  adapter: node({ mode: 'middleware' }),
  session: false,
  trailingSlash: 'never',
  build: { format: 'file', inlineStylesheets: 'never' },
  // drawings of our own become PNGs for previews of links; only the build processes images
  image: { service: sharpImageService(), dangerouslyProcessSVG: true },
  markdown: {
    syntaxHighlight: 'shiki',
    shikiConfig: { theme: codeTheme, transformers: [codeClasses] },
  },
  devToolbar: { enabled: false },
  integrations: [react(), clientUse, i18next()],
  security: {
    checkOrigin: true,
    csp: {
      algorithm: 'SHA-256',
      directives: [
        "default-src 'none'",
        `img-src 'self' data: ${hosts(mediaHosts)}`,
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        `media-src 'self' ${hosts(mediaHosts)}`,
        "form-action 'self'",
        "base-uri 'none'",
        "object-src 'none'",
        `frame-src 'self' ${hosts(embedHosts)}`,
      ],
      scriptDirective: { resources: ["'self'"], hashes: [...inline.values()].map(sha256) },
      styleDirective: { resources: ["'self'", { resource: "'unsafe-inline'", kind: 'attribute' }] },
    },
  },
  vite: {
    plugins: [oneInstance, bareIcons, smallInline, leanIcons, smallPreload, onlyWebSocket, scriptSources],
    build: { assetsInlineLimit: 0 },
    environments: {
      client: {
        build: {
          rolldownOptions: { output: { codeSplitting: { groups: [shared, searching, found, charts] } } },
        },
      },
    },
  },
});
