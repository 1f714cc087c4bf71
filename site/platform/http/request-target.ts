/**
 * The path and query of a request target. Clients that take us for a proxy send the absolute form, which servers must
 * accept; anything else without a leading slash counts as `/`. Source: RFC 9112 §3.2.
 */
export function targetOf(url = '/'): string {
  if (url.startsWith('/')) return url;
  const [, rest = ''] = /^https?:\/\/[^/?#]*([/?#].*)?$/is.exec(url) ?? [];
  return rest.startsWith('/') ? rest : `/${rest}`;
}
