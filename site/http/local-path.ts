/**
 * The path below our own address that `text` names, or `fallback`: where a form may lead after it is done. Anything
 * that a browser could read as another host is not followed.
 */
export function localPath(text: string | null | undefined, siteUrl: string, fallback = '/'): string {
  if (!text?.startsWith('/')) return fallback;
  const site = new URL(siteUrl);
  const url = URL.canParse(text, site) ? new URL(text, site) : null;
  if (url?.origin !== site.origin || url.pathname.startsWith('//')) return fallback;
  return `${url.pathname}${url.search}${url.hash}`;
}
