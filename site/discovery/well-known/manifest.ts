import type { DocumentHandler } from '../../platform/http/document.ts';

const icon = (src: string, sizes: string, purpose = 'any') => ({ src, sizes, type: 'image/png', purpose });

/** The web app manifest, used when the site is installed as an app. Source: W3C Web Application Manifest. */
export const manifest: DocumentHandler = async ({ language, messages }) => ({
  type: 'application/manifest+json; charset=utf-8',
  localized: true,
  body: JSON.stringify({
    id: '/',
    name: 'Cairn',
    short_name: 'Cairn',
    description: messages.t('shell.description'),
    lang: language.tag,
    dir: language.dir,
    start_url: '/',
    scope: '/',
    display: 'minimal-ui',
    background_color: '#161714',
    theme_color: '#161714',
    categories: ['games', 'entertainment'],
    icons: [
      { src: '/logo.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
      icon('/icon-192.png', '192x192'),
      icon('/icon-512.png', '512x512'),
      icon('/icon-maskable-512.png', '512x512', 'maskable'),
    ],
  }),
});
