const years10_s = 10 * 365 * 86_400;

/**
 * The text that keeps a preference for ten years on the whole site, readable by scripts, secure where the page is;
 * an empty value forgets it. Source: specification §9 (Cookies).
 */
export const persistentCookie = (name: string, value: string, sameSite: 'lax' | 'strict'): string =>
  [
    `${name}=${encodeURIComponent(value)}`,
    'path=/',
    `max-age=${value ? years10_s : 0}`,
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

/** Hands a finished cookie text to the browser. */
export function setCookie(cookieText: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in some browsers we serve
  document.cookie = cookieText;
}
