import { describe, expect, it } from 'vitest';
import { listOf, type MailTemplate, mailTemplates } from '#db/messages/mail/rules.ts';
import { languageRows } from '../messages.ts';
import { renderMail } from './render.ts';
import { mailSamples } from './samples.ts';

const site = { url: 'https://mods.example.org', contact: 'help@example.org', support: null };
const unsubscribeOf = (template: MailTemplate) => (listOf[template] ? '/unsubscribe?token=abc' : null);
const written = (template: MailTemplate, locale: string) =>
  renderMail(template, mailSamples[template] as never, {
    ...{ locale, site },
    unsubscribe: unsubscribeOf(template),
  });
const addressesOf = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, to]) => to!);

describe.each(mailTemplates)('%s', (template) => {
  it.each(languageRows)('says in $tag the same as HTML and as text', ({ tag, dir, formatting }) => {
    const { subject, html, text } = written(template, tag);
    expect(subject).not.toMatch(/mail\.|[\r\n{}]/);
    expect(html + text).not.toMatch(/mail\.[a-z_]+|undefined|\[object|NaN|\{[a-z]+\}/);
    expect(html).toContain(`dir="${dir}"`);
    expect(html).toContain(`lang="${formatting.split('-u-')[0]}"`);
    expect(html).not.toMatch(/<img|<script|<link/);
    for (const to of addressesOf(html)) {
      expect(to).toMatch(/^https:\/\/mods\.example\.org(\/|$)/);
      if (to !== site.url)
        expect(
          text.includes(to.replaceAll('&amp;', '&')) ||
            to === `${site.url}/mod/lanternroot` ||
            to === `${site.url}/mod/pale-ferns`,
        ).toBe(true);
    }
    expect(text.includes('/unsubscribe?token=abc')).toBe(listOf[template] !== null);
  });
});

it('shows what people wrote as text, on one line and in its own direction', () => {
  const name = '<script>alert(1)</script>\r\nBcc: x@example.org \u202e evil';
  const data = { ...mailSamples.team_invite, name };
  const english = renderMail('team_invite', data, { locale: 'en-US', site, unsubscribe: null });
  expect(english.html).not.toContain('<script');
  expect(english.subject).toBe('Invitation to <script>alert(1)</script> Bcc: x@example.org evil');
  const arabic = renderMail('team_invite', mailSamples.team_invite, {
    ...{ locale: 'ar-SA', site, unsubscribe: null },
  });

  expect(arabic.text).toContain('\u2068Lanternroot\u2069');
});

it('leads nowhere but to the site', () => {
  for (const link of [
    '//evil.example',
    'https://evil.example/',
    '/\\evil.example',
    'javascript:alert(1)',
    '.evil.example',
  ]) {
    const { html, text } = renderMail(
      'project_status_approved',
      { ...mailSamples.project_status_approved, link },
      { locale: 'en-US', site, unsubscribe: null },
    );
    expect(html + text).not.toContain('evil');
    expect(html).not.toContain('javascript');
  }
});

it('names the amount of a payment in the units of its currency', () => {
  const { text } = written('payment_failed', 'en-US');
  expect(text).toContain('$12.00');
  const yen = renderMail(
    'payment_failed',
    { ...mailSamples.payment_failed, currency: 'JPY' },
    { locale: 'en-US', site, unsubscribe: null },
  );
  expect(yen.text).toContain('¥1,200');
});

it('says of a failed payment which card, why, when it is tried again, and when it ends', () => {
  const { text } = written('payment_failed', 'en-US');
  expect(text).toContain('Visa ending in 4242');
  expect(text).toContain('Insufficient funds');
  expect(text).toMatch(/Next attempt: November 30, 2026/);
  expect(text).toMatch(/if unpaid: December 6, 2026/);
  expect(text).toMatch(/deleted for good: December 13, 2026/i);
  const last = { ...mailSamples.payment_failed, next_attempt: null, reason: 'expired_by_nobody' };
  const final = renderMail('payment_failed', last, {
    ...{ locale: 'en-US', site, unsubscribe: null },
  });
  expect(final.text).toContain('Declined by the bank');
  expect(final.text).toContain('None');
});

it('sends people to support only where the operator names a place', () => {
  const { text } = written('server_lost', 'en-US');
  expect(text).not.toMatch(/support/i);
  const reached = renderMail('server_lost', mailSamples.server_lost, {
    ...{ locale: 'en-US', site: { ...site, support: 'support@example.org' }, unsubscribe: null },
  });
  expect(reached.text).toContain('Support can set the server up again');
  expect(reached.text).toContain('support@example.org');
});
