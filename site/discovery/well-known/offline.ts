import { createHash } from 'node:crypto';
import type { DocumentHandler } from '../../platform/http/document.ts';

const style = `
:root { color-scheme: dark light; --bg: light-dark(#f6f4ed, #161714); --ink: light-dark(#21221c, #efeee6); }
body { display: grid; place-content: center; min-height: 100vh; margin: 0;
  padding: 1.5rem; box-sizing: border-box; background: var(--bg); color: var(--ink);
  font: 1rem / 1.5 system-ui, sans-serif; }
h1, p { margin: 0; }
p { margin-block-start: 0.5rem; }
h1 { font-size: 1.75rem; line-height: 1.2; }
a { display: inline-block; padding-block: 0.625rem; color: inherit; }
`;
const hash = createHash('sha256').update(style).digest('base64');

/**
 * The page that the service worker (site/public/service-worker.js) shows when the network cannot load a page. It needs
 * no other file. Its link, without an address, loads the page that was asked for again.
 */
export const offline: DocumentHandler = async ({ language, messages: { t } }) => ({
  type: 'text/html; charset=utf-8',
  localized: true,
  style: `'sha256-${hash}'`,
  body: `<!doctype html>
<html lang="${language.tag}" dir="${language.dir}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${t('shell.page_title', { title: t('shell.offline_title'), site: 'Cairn' })}</title>
<style>${style}</style>
<main>
<h1>${t('shell.offline_title')}</h1>
<p>${t('shell.offline_text')}</p>
<p><a href="">${t('shell.again')}</a></p>
</main>
</html>
`,
});
