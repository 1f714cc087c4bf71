import type { Document, DocumentHandler } from '../../platform/http/document.ts';

/** Personal paths and paths for programs. Search pages with a query have `noindex` themselves. */
const closed = [
  '/v2/',
  '/v3/',
  '/_internal/',
  '/auth/',
  '/settings',
  '/dashboard',
  '/moderation',
  '/admin/',
  '/servers/manage',
  '/servers/admin',
  '/data/*/versions/',
];

const text = (lines: string[]): Document => ({
  type: 'text/plain; charset=utf-8',
  body: `${lines.join('\n')}\n`,
  localized: false,
});

/** robots.txt: paths that crawlers should skip, and the address of the sitemap. Source: RFC 9309. */
export const robots: DocumentHandler = async ({ services }) =>
  text([
    'User-agent: *',
    ...closed.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${services.settings.SITE_URL}/sitemap.xml`,
  ]);

const half_year_ms = 182 * 86_400_000;

/**
 * security.txt: the contact for vulnerabilities, and the page that says how they are handled; expires half a year from today.
 * Source: RFC 9116.
 */
export const securityTxt: DocumentHandler = async ({ services: { settings, now } }) => {
  const end = new Date(now().getTime() + half_year_ms).toISOString().slice(0, 10);
  return text([
    `Contact: ${settings.SECURITY_CONTACT}`,
    `Expires: ${end}T00:00:00Z`,
    'Preferred-Languages: en',
    `Policy: ${settings.SITE_URL}/legal/security`,
    `Canonical: ${settings.SITE_URL}/.well-known/security.txt`,
  ]);
};
