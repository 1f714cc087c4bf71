/**
 * The path on our own origin that `text` names, or `fallback`: used as a form's redirect target. Rejects anything that
 * a browser could read as another host.
 */
export function localPath(text: string | null | undefined, siteUrl: string, fallback = '/'): string {
  if (!text?.startsWith('/')) return fallback;
  const site = new URL(siteUrl);
  const url = URL.canParse(text, site) ? new URL(text, site) : null;
  if (url?.origin !== site.origin || url.pathname.startsWith('//')) return fallback;
  return `${url.pathname}${url.search}${url.hash}`;
}
