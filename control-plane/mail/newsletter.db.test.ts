import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { mailSamples } from '#content/mails/samples.ts';
import { leaveList } from '#db/accounts/account/leave-list.ts';
import { subscribeVerified } from '#db/messages/mail/newsletter.ts';
import { queueMail } from '#db/messages/mail/queue.ts';
import { queueNewsletter } from '#db/messages/mail/send-newsletter.ts';
import { readUnsubscribeToken } from '#db/messages/mail/unsubscribe.ts';
import { parseSettings } from '#db/platform/runtime/env.ts';
import { createSealer } from '#db/platform/secrets/seal.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { leavingToken, Mailbox, toOf } from '../testing/mailbox.ts';
import { createMailSender } from './sender.ts';

const database = testDatabase();
const sealer = createSealer(randomBytes(32));
const article = { slug: 'how-search-works', mail: mailSamples.newsletter };
let mailbox: Mailbox;
let smtp_url: string;
let now: Date;
beforeEach(async () => {
  mailbox = new Mailbox();
  smtp_url = `smtp://127.0.0.1:${await mailbox.open()}`;
  now = new Date('2026-11-22T12:00:00Z');
  const { sql } = database;
  await sql`delete from mails`;
  await sql`delete from newsletter_mails`;
  await sql`delete from newsletter_subscriptions`;
});
afterEach(() => mailbox.close());

const settings = () => parseSettings({ SMTP_URL: smtp_url, SITE_URL: 'https://mods.example.org' });
const mailing = () => ({ settings: settings(), sealer });
const send = (given: { dry_run?: boolean; page?: number; slug?: string } = {}) =>
  queueNewsletter(
    database.sql,
    mailing(),
    { ...article, ...(given.slug && { slug: given.slug }) },
    { now, ...given },
  );
const sender = () => {
  const log = pino({ level: 'silent' });
  const context = { sql: database.sql, log, ...mailing(), now: () => now };
  return createMailSender(context, smtp_url, { silence_ms: 5_000, step_ms: 5_000 });
};
const deliver = async () => {
  while ((await sender().step()).taken > 0);
};
const subscribe = async (emails: readonly string[], locale = 'en-US') => {
  for (const email of emails)
    await database.sql`insert into newsletter_subscriptions (email, locale, confirmed) values (${email}, ${locale}, ${now})`;
};
const readers = (count: number) => Array.from({ length: count }, (_, at) => `Reader-${at}@example.test`);
const arrived = () => mailbox.mails.flatMap(toOf).sort();

it('goes to everybody once, in their language, and can be left by one click', async () => {
  await subscribe(['plain@example.test'], 'de-DE');
  const { id, username } = await build.user(database.sql);
  await subscribeVerified(database.sql, id, now);
  await database.sql`
    insert into user_preferences (user_id, data) values (${id}, ${database.sql.json({ localization: { locale: 'ar-SA' } })})`;
  expect(await send({ dry_run: true })).toEqual({ subscribers: 2, queued: 2, had_it: 0 });
  expect(await database.sql`select from mails`).toHaveLength(0);
  expect(await send()).toEqual({ subscribers: 2, queued: 2, had_it: 0 });
  expect(await send()).toEqual({ subscribers: 2, queued: 0, had_it: 2 });
  expect(await send({ dry_run: true })).toEqual({ subscribers: 2, queued: 0, had_it: 2 });
  await deliver();
  expect(arrived()).toEqual([`${username}@example.test`, 'plain@example.test'].sort());
  const german = mailbox.mails.find((mail) => toOf(mail)[0] === 'plain@example.test')!;
  expect(german.subject).toBe(article.mail.title);
  expect(german.text).toContain(`Artikel lesen:\nhttps://mods.example.org${article.mail.link}`);
  expect(german.text).toContain(article.mail.summary);
  expect(german.html).toMatch(/<html[^>]* lang="de-DE"/);
  const arabic = mailbox.mails.find((mail) => mail !== german)!;
  expect(arabic.html).toMatch(/<h1[^>]* lang="en"/);
  expect(arabic.html).toContain('dir="rtl"');
  expect(readUnsubscribeToken(sealer, leavingToken(german)!)).toEqual({
    ...{ list: 'newsletter', email: 'plain@example.test', user_id: null },
  });
  expect(german.headerLines.some(({ line }) => /^List-Unsubscribe-Post: .*One-Click$/.test(line))).toBe(true);
});

it('goes to each address once when two send it at the same time, page by page', async () => {
  await subscribe(readers(25));
  const both = await Promise.all([send({ page: 4 }), send({ page: 7 })]);
  expect(both[0].queued + both[1].queued).toBe(25);
  await deliver();
  expect(arrived()).toEqual(readers(25).sort());
});

it('goes to who subscribed since, and another article to all', async () => {
  await subscribe(readers(3));
  await send();
  await subscribe(['late@example.test']);
  expect(await send()).toEqual({ subscribers: 4, queued: 1, had_it: 3 });
  expect(await send({ slug: 'security' })).toEqual({ subscribers: 4, queued: 4, had_it: 0 });
});

it('does not come to who leaves while it waits, also under another spelling of the address', async () => {
  await subscribe(readers(2));
  await send();
  const leaving = { list: 'newsletter', email: 'reader-0@EXAMPLE.test', user_id: null } as const;
  await leaveList(database.sql, leaving);
  await subscribe(['reader-0@example.test']);
  expect((await send()).queued).toBe(0);
  await deliver();
  expect(arrived()).toEqual(['Reader-1@example.test']);
});

it('lets mails about accounts overtake it, and waits as long as it has to', async () => {
  // as Postgres does by itself while nothing waits: then it plans for a table of a few rows
  await database.sql`analyze mails`;
  await subscribe(readers(50));
  await send();
  now = new Date(now.getTime() + 3 * 86_400_000);
  const { id: user_id, username } = await build.user(database.sql);
  const data = mailSamples.password_changed;
  await queueMail(database.sql, mailing(), { template: 'password_changed', to: null, user_id, data, now });
  await sender().step();
  expect(mailbox.mails).toHaveLength(40);
  expect(arrived()).toContain(`${username}@example.test`);
  await deliver();
  expect(mailbox.mails).toHaveLength(51);
});

it('ends for addresses that a mail server does not know', async () => {
  await subscribe(['gone@example.test']);
  const { id } = await build.user(database.sql);
  await subscribeVerified(database.sql, id, now);
  mailbox.onRecipient = () => '550 5.1.1 No such user here';
  await send();
  await deliver();
  expect(await database.sql`select user_id from newsletter_subscriptions`).toEqual([{ user_id: id }]);
  expect(await send({ slug: 'security' })).toEqual({ subscribers: 0, queued: 0, had_it: 0 });
});

it('needs a site that can send mail', async () => {
  await subscribe(readers(1));
  const off = { settings: parseSettings({ SITE_URL: 'https://mods.example.org' }), sealer };
  await expect(queueNewsletter(database.sql, off, article, { now })).rejects.toMatchObject({
    code: 'mail_off',
  });
});
