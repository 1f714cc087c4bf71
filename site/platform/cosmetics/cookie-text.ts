const years10_s = 10 * 365 * 86_400;

/**
 * A cookie that stores a preference on the whole site, for ten years or `max_age_s`, readable by scripts, secure on https
 * pages; an empty value deletes it. Source: specification §9 (Cookies).
 */
export const persistentCookie = (
  name: string,
  value: string,
  sameSite: 'lax' | 'strict',
  max_age_s = years10_s,
): string =>
  [
    `${name}=${encodeURIComponent(value)}`,
    'path=/',
    `max-age=${value ? max_age_s : 0}`,
    `samesite=${sameSite}`,
    ...(globalThis.location?.protocol === 'https:' ? ['secure'] : []),
  ].join('; ');

/** The value of `name` in a `Cookie` header or `document.cookie`, decoded; null when missing or broken. */
export function cookieIn(text: string, name: string): string | null {
  const found = text.split('; ').find((part) => part.startsWith(`${name}=`));
  try {
    return found ? decodeURIComponent(found.slice(name.length + 1)) : null;
  } catch {
    return null;
  }
}

/** Sets `document.cookie`. */
export function setCookie(cookieText: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in some browsers we serve
  document.cookie = cookieText;
}
