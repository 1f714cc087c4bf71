/**
 * The path and query that a request names. Whoever takes us for a proxy sends the whole address, which servers must
 * understand; anything else that begins with no slash names the start. Source: RFC 9112 §3.2.
 */
export function targetOf(url = '/'): string {
  if (url.startsWith('/')) return url;
  const [, rest = ''] = /^https?:\/\/[^/?#]*(.*)$/is.exec(url) ?? [];
  return rest.startsWith('/') ? rest : `/${rest}`;
}
