import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseSettings } from '#db/platform/runtime/env.ts';
import { headersOfAll, secure } from './headers.ts';

const page = { isPrivate: false, locale: 'en-US' };
const policy = "default-src 'none';img-src 'self' data:; script-src 'self';";
const answer = (headers: Record<string, string> = {}) =>
  new Response('', { headers: { 'content-security-policy': policy, ...headers } });
const own = parseSettings({ SITE_URL: 'https://cairn.example' });

test('pages cannot be framed, and load images from our own origin only', () => {
  const { headers } = secure(answer(), page, own);
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none';img-src 'self' data:; script-src 'self'; frame-ancestors 'none'",
  );
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
});

test('browsers keep to TLS for a year, on hosts below this one where the operator says so, and not without TLS', () => {
  const hsts = (settings: Record<string, string>) => headersOfAll(parseSettings(settings)).slice(2);
  const SITE_URL = 'https://cairn.example';
  expect(hsts({ SITE_URL })).toEqual(['strict-transport-security', 'max-age=31536000']);
  expect(hsts({ SITE_URL, HSTS_SUBDOMAINS: 'on' })[1]).toBe('max-age=31536000; includeSubDomains');
  expect(hsts({ HSTS_SUBDOMAINS: 'on' })).toEqual([]);
});

test('a separate origin for user content may serve images', () => {
  const apart = parseSettings({ SITE_URL: 'https://cairn.example', CDN_URL: 'https://cdn.example/cairn' });
  const { headers } = secure(answer(), page, apart);
  expect(headers.get('content-security-policy')).toContain("img-src 'self' https://cdn.example data:");
});

test('a personal page is never cached, other pages are revalidated', () => {
  expect(secure(answer(), { ...page, isPrivate: true }, own).headers.get('cache-control')).toBe(
    'private, no-store',
  );
  expect(secure(answer(), page, own).headers.get('cache-control')).toBe('no-cache');
  expect(secure(answer({ 'cache-control': 'max-age=5' }), page, own).headers.get('cache-control')).toBe(
    'max-age=5',
  );
});

test('a form that leads to an app may leave the site by the schemes that the page names', () => {
  const forms = "default-src 'none'; form-action 'self'";
  const { headers } = secure(
    answer({ 'content-security-policy': forms }),
    { ...page, formTarget: 'https: com.example.app:' },
    own,
  );
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; form-action 'self' https: com.example.app:; frame-ancestors 'none'",
  );
});

test('a page with a captcha allows its service, and no other page does', () => {
  const with_captcha = parseSettings({
    SITE_URL: 'https://cairn.example',
    CAPTCHA_SCRIPT: 'https://js.captcha.example/api.js',
  });
  const rules =
    "default-src 'none'; script-src 'self'; style-src 'self'; frame-src https://video.example; connect-src 'self'";
  const csp = (hasCaptcha: boolean) =>
    secure(answer({ 'content-security-policy': rules }), { ...page, hasCaptcha }, with_captcha).headers.get(
      'content-security-policy',
    );
  expect(csp(true)).toContain("script-src 'self' https://js.captcha.example https://*.captcha.example;");
  expect(csp(true)).toContain('frame-src https://video.example https://js.captcha.example');
  expect(csp(true)).toContain("connect-src 'self' https://js.captcha.example");
  expect(csp(false)).not.toContain('captcha');
});

test('a page with files of a server may reach the machine that has them, and no other page does', () => {
  const rules = "default-src 'none'; connect-src 'self'; frame-src https://video.example";
  const csp = (given: object) =>
    secure(answer({ 'content-security-policy': rules }), { ...page, ...given }, own).headers.get(
      'content-security-policy',
    );
  const allowed = csp({ transferOrigin: 'https://node1.example.org' });
  expect(allowed).toContain("connect-src 'self' https://node1.example.org;");
  expect(allowed).toContain('frame-src https://video.example https://node1.example.org;');
  expect(csp({})).not.toContain('node1');
});

test('a page that asks for a card allows Stripe where Stripe is used, and no other page does', () => {
  const keys = {
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
  };
  const stripe = parseSettings({ PAYMENTS: 'stripe', ...keys });
  const rules = "default-src 'none'; script-src 'self'; frame-src 'none'; connect-src 'self'";
  const sent = (asksForCard: boolean, settings = stripe) =>
    secure(answer({ 'content-security-policy': rules }), { ...page, asksForCard }, settings).headers;
  const policy = sent(true).get('content-security-policy');
  expect(policy).toContain("script-src 'self' https://js.stripe.com https://*.js.stripe.com;");
  expect(policy).toContain('https://hooks.stripe.com');
  expect(policy).toContain("connect-src 'self' https://api.stripe.com");
  expect(sent(true).get('permissions-policy')).toContain('payment=(self "https://js.stripe.com")');
  for (const other of [sent(false), sent(true, own)]) {
    expect(other.get('content-security-policy')).not.toContain('stripe');
    expect(other.get('permissions-policy')).toContain('payment=()');
  }
});

test('the policy of the build allows what it names only: no plugins, no other base, scripts of the site and by hash', () => {
  const config = readFileSync(new URL('../../../astro.config.mjs', import.meta.url), 'utf8');
  const policy = /csp: \{[\s\S]*?\n {4}\},/.exec(config)![0];
  for (const rule of ["default-src 'none'", "object-src 'none'", "base-uri 'none'", "form-action 'self'"])
    expect(policy).toContain(`"${rule}"`);
  expect(policy).toContain(`scriptDirective: { resources: ["'self'"], hashes:`);
  expect(policy).not.toContain('unsafe-eval');
  expect(policy.match(/unsafe-inline[^}]*\}/g)).toEqual([`unsafe-inline'", kind: 'attribute' }`]);
});
