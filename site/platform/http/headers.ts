import { processors } from '#db/money/billing/processors/known.ts';
import { type BrowserPart, noBrowserPart } from '#db/money/billing/processors/processor.ts';
import type { Settings } from '#db/platform/runtime/env.ts';

/**
 * What every answer has, name and value in turn: no other site shows it in a frame unless it says otherwise, and browsers come by
 * TLS only from then on, to hosts below this one too where HSTS_SUBDOMAINS is on.
 */
export function headersOfAll({ SITE_URL, HSTS_SUBDOMAINS }: Settings): string[] {
  const everywhere = ['content-security-policy', "frame-ancestors 'none'"];
  if (!SITE_URL.startsWith('https:')) return everywhere;
  const hosts = HSTS_SUBDOMAINS === 'on' ? '; includeSubDomains' : '';
  return [...everywhere, 'strict-transport-security', `max-age=31536000${hosts}`];
}

/**
 * The headers of every page: no framing, images also from CDN_URL, no MIME sniffing, no browser features we do not use.
 * Pages with a captcha allow its service, those that ask for a card the payment processor, those with files of a server the machine that has them. Personal pages are not stored by any cache. Source: design §4.8.
 */
export function secure(
  response: Response,
  page: {
    isPrivate: boolean;
    locale: string;
    formTarget?: string;
    hasCaptcha?: boolean;
    hasPings?: boolean;
    asksForCard?: boolean;
    transferOrigin?: string;
  },
  { CDN_URL, SITE_URL, CAPTCHA_SCRIPT, REGION_PINGS, PAYMENTS }: Settings,
): Response {
  const { headers } = response;
  const { sources, payment } = page.asksForCard ? processors[PAYMENTS].browser : noBrowserPart;
  const payers = payment.length > 0 ? ['self', ...payment.map((origin) => `"${origin}"`)] : [];
  const policy = headers.get('content-security-policy');
  if (policy) {
    const images =
      CDN_URL === SITE_URL
        ? policy
        : policy.replace("img-src 'self'", `img-src 'self' ${new URL(CDN_URL).origin}`);
    const forms = page.formTarget
      ? images.replace("form-action 'self'", `form-action 'self' ${page.formTarget}`)
      : images;
    const pings = page.hasPings ? withPings(forms, REGION_PINGS) : forms;
    const files = page.transferOrigin ? withTransfers(pings, page.transferOrigin) : pings;
    const captcha = page.hasCaptcha && CAPTCHA_SCRIPT ? withCaptcha(files, CAPTCHA_SCRIPT) : files;
    const whole = withSources(captcha, sources);
    headers.set('content-security-policy', `${whole.trimEnd().replace(/;$/, '')}; frame-ancestors 'none'`);
  }
  headers.set('content-language', page.locale);
  headers.set(
    'permissions-policy',
    `camera=(), geolocation=(), microphone=(), payment=(${payers.join(' ')}), usb=()`,
  );
  headers.set('referrer-policy', 'strict-origin-when-cross-origin');
  headers.set('x-content-type-options', 'nosniff');
  headers.set('x-frame-options', 'DENY');
  if (page.isPrivate) headers.set('cache-control', 'private, no-store');
  else if (!headers.has('cache-control')) headers.set('cache-control', 'no-cache');
  headers.append('vary', 'Accept-Language, Cookie');
  return response;
}

/** The policy with the addresses that the browsers of buyers measure. */
const withPings = (policy: string, pings: readonly { address: string }[]): string =>
  policy.replace(/connect-src [^;]*/, (rule) =>
    [rule, ...new Set(pings.map(({ address }) => new URL(address).origin))].join(' '),
  );
/** The policy with requests to the machine of a server, and downloads from it, which are in a frame. */
const withTransfers = (policy: string, origin: string): string =>
  policy.replace(/(?:connect|frame)-src [^;]*/g, (rule) => `${rule} ${origin}`);

/** The policy with what the form of a payment processor loads and asks. */
const withSources = (policy: string, sources: BrowserPart['sources']): string =>
  policy.replace(/(script|frame|connect)-src [^;]*/g, (rule, directive: keyof BrowserPart['sources']) =>
    [rule, ...sources[directive]].join(' '),
  );

/** The policy with the captcha of CAPTCHA_SCRIPT: its host and those below it give scripts, frames, styles and answers. */
function withCaptcha(policy: string, script: string): string {
  const { origin, hostname, protocol } = new URL(script);
  const domain = hostname.split('.').slice(-2).join('.');
  const hosts = /^[\d.]+$|^\[|^localhost$/.test(hostname) ? origin : `${origin} ${protocol}//*.${domain}`;
  return policy
    .replace(/script-src [^;]*/, (rule) => `${rule} ${hosts}`)
    .replace(/style-src [^;]*/, (rule) => `${rule} ${hosts}`)
    .replace(/frame-src [^;]*/, (rule) => `${rule} ${hosts}`)
    .replace(/connect-src [^;]*/, (rule) => `${rule} ${hosts}`);
}
