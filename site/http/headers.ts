import type { Settings } from '#db/runtime/env.ts';

/**
 * The headers of every page: no framing, images also from CDN_URL, no MIME sniffing, no browser features we do not use.
 * Personal pages are not stored by any cache. Source: design §4.8.
 */
export function secure(
  response: Response,
  page: { isPrivate: boolean; locale: string; formTarget?: string },
  { CDN_URL, SITE_URL }: Settings,
): Response {
  const { headers } = response;
  const policy = headers.get('content-security-policy');
  if (policy) {
    const images =
      CDN_URL === SITE_URL
        ? policy
        : policy.replace("img-src 'self'", `img-src 'self' ${new URL(CDN_URL).origin}`);
    const forms = page.formTarget
      ? images.replace("form-action 'self'", `form-action 'self' ${page.formTarget}`)
      : images;
    headers.set('content-security-policy', `${forms.replace(/;?\s*$/, '')}; frame-ancestors 'none'`);
  }
  headers.set('content-language', page.locale);
  headers.set('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()');
  headers.set('referrer-policy', 'strict-origin-when-cross-origin');
  headers.set('x-content-type-options', 'nosniff');
  headers.set('x-frame-options', 'DENY');
  if (page.isPrivate) headers.set('cache-control', 'private, no-store');
  else if (!headers.has('cache-control')) headers.set('cache-control', 'no-cache');
  headers.append('vary', 'Accept-Language, Cookie');
  return response;
}
