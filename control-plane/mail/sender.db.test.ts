import { randomBytes } from 'node:crypto';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mailSamples } from '#content/mails/samples.ts';
import { deleteOldMails } from '#db/messages/mail/outbox.ts';
import { type NewMail, queueMail } from '#db/messages/mail/queue.ts';
import { listOf, type MailTemplate, mailTemplates } from '#db/messages/mail/rules.ts';
import { readUnsubscribeToken } from '#db/messages/mail/unsubscribe.ts';
import { parseSettings } from '#db/platform/runtime/env.ts';
import { createSealer } from '#db/platform/secrets/seal.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { leavingToken, Mailbox, toOf } from '../testing/mailbox.ts';
import { createMailSender, max_attempts } from './sender.ts';

const database = testDatabase();
const sealer = createSealer(randomBytes(32));
const log = pino({ level: 'silent' });

let mailbox: Mailbox;
let port: number;
let now: Date;
let smtp_url: string;
beforeEach(async () => {
  mailbox = new Mailbox();
  port = await mailbox.open();
  smtp_url = `smtp://127.0.0.1:${port}`;
  now = new Date('2026-11-22T12:00:00Z');
  await database.sql`delete from mails`;
});
afterEach(() => mailbox.close());

const settings = () =>
  parseSettings({
    SMTP_URL: smtp_url,
    SITE_URL: 'https://mods.example.org',
    MAIL_FROM: 'Cairn <mail@example.org>',
  });
const context = () => ({ sql: database.sql, sealer, log, settings: settings(), now: () => now });
const sender = (timeouts = { silence_ms: 5_000, step_ms: 5_000 }) =>
  createMailSender(context(), smtp_url, timeouts);
const pass = (ms: number) => {
  now = new Date(now.getTime() + ms);
};
const queue = (mail: Pick<NewMail, 'template' | 'to' | 'user_id'> & { locale?: string; data?: unknown }) =>
  queueMail(database.sql, { settings: settings(), sealer }, {
    data: mailSamples[mail.template],
    now,
    ...(mail.to !== null && { is_proven: true }),
    ...mail,
  } as NewMail);
const rows = () => database.sql<
  Array<{ state: string; attempts: number; answer: string | null; data: string }>
>`
  select state, attempts, answer, data from mails order by created, id`;

describe.each(['en-US', 'de-DE', 'ar-SA'])('in %s', (locale) => {
  it.each(mailTemplates)(
    '%s arrives as HTML and text, from us, about what it is about',
    async (template: MailTemplate) => {
      const { id: user_id, username } = await build.user(database.sql);
      await queue({ template, to: null, user_id, locale });
      expect(await sender().step()).toEqual({ taken: 1, is_server_away: false });
      const mail = mailbox.mails[0]!;
      expect(toOf(mail)).toEqual([`${username}@example.test`]);
      expect(mail.from?.text).toBe('"Cairn" <mail@example.org>');
      expect(mail.subject).toBeTruthy();
      expect(mail.html).toContain('<h1');
      // amounts have blanks that do not break, which readers of headers make plain ones
      expect(plainBlanks(mail.text ?? '')).toContain(plainBlanks(mail.subject ?? ''));
      expect(mail.messageId).toMatch(/^<[0-9A-Za-z]{8}@example\.org>$/);
      expect(mail.date).toEqual(now);
      expect(mail.headers.get('auto-submitted')).toBe('auto-generated');
      for (const [, to] of String(mail.html).matchAll(/href="([^"]+)"/g))
        expect(to).toMatch(/^https:\/\/mods\.example\.org(\/|$)/);
      expect(mail.headers.has('list-unsubscribe-post')).toBe(false);
      expect(mail.headers.has('list')).toBe(listOf[template] !== null);
      expect(await rows()).toEqual([{ state: 'sent', attempts: 1, answer: null, data: '' }]);
    },
  );
});

it('a mail of a list can be left by its header, which says whose it is', async () => {
  const { id: user_id, username } = await build.user(database.sql);
  await queue({ template: 'digest', to: null, user_id });
  await sender().step();
  const mail = mailbox.mails[0]!;
  const head = mail.headerLines.map(({ line }) => line).join('\n');
  expect(head).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  const token = leavingToken(mail);
  expect(readUnsubscribeToken(sealer, token!)).toEqual({
    ...{ list: 'notifications', email: `${username}@example.test`, user_id },
  });
  expect(mail.text).toContain(`https://mods.example.org/unsubscribe?token=${token}`);
  expect(readUnsubscribeToken(createSealer(randomBytes(32)), token!)).toBeNull();
});

it('mails of lists go to verified addresses only', async () => {
  const { id: user_id } = await build.user(database.sql, { email_verified: false });
  await queue({ template: 'digest', to: null, user_id });
  await queue({ template: 'verify_email', to: null, user_id });
  expect(await rows()).toHaveLength(1);
});

it('signs in with the name and password of the address', async () => {
  smtp_url = `smtp://me%40x:p%3Aw@127.0.0.1:${port}`;
  await queue({ template: 'password_changed', to: 'a@example.test', user_id: null });
  await sender().step();
  expect(mailbox.signedIn).toEqual(['me@x:p:w']);
  expect(mailbox.mails).toHaveLength(1);
});

it('an address refused for good is not tried again, and gets only mails about the account', async () => {
  const { sql } = database;
  const { id: user_id } = await build.user(sql);
  mailbox.onRecipient = () => '550 5.1.1 No such user here';
  await queue({ template: 'digest', to: null, user_id });
  await sender().step();
  expect(await rows()).toEqual([
    { state: 'refused', attempts: 1, answer: expect.stringContaining('No such user'), data: '' },
  ]);
  expect(await sql`select email_refused, email_answer from users where id = ${user_id}`).toEqual([
    { email_refused: expect.any(String), email_answer: expect.stringContaining('No such user') },
  ]);
  mailbox.onRecipient = () => null;
  pass(1000);
  await queue({ template: 'digest', to: null, user_id });
  await sender().step();
  expect(mailbox.mails).toEqual([]);
  pass(1000);
  await queue({ template: 'password_changed', to: null, user_id });
  await sender().step();
  expect(mailbox.mails).toHaveLength(1);
  expect((await rows()).map(({ state }) => state)).toEqual(['refused', 'failed', 'sent']);
  // it took one: it is known again
  expect(await sql`select email_refused from users where id = ${user_id}`).toEqual([{ email_refused: null }]);
});

it('a mail refused for what it says is refused, its address is not', async () => {
  const { id: user_id } = await build.user(database.sql);
  mailbox.onMessage = () => '554 5.7.1 Looks like spam';
  await queue({ template: 'password_changed', to: null, user_id });
  await sender().step();
  expect(await rows()).toMatchObject([{ state: 'refused', data: '' }]);
  expect(await database.sql`select email_refused from users where id = ${user_id}`).toEqual([
    { email_refused: null },
  ]);
});

it('a temporary refusal is tried again, later every time, and arrives once', async () => {
  let refusals = 2;
  mailbox.onRecipient = () => (refusals-- > 0 ? '451 4.7.1 Come back' : null);
  await queue({ template: 'password_changed', to: 'a@example.test', user_id: null });
  await sender().step();
  expect(await sender().step()).toMatchObject({ taken: 0 });
  pass(30_000);
  expect(await sender().step()).toMatchObject({ taken: 1 });
  pass(59_000);
  expect(await sender().step()).toMatchObject({ taken: 0 });
  pass(1_000);
  await sender().step();
  expect(mailbox.mails).toHaveLength(1);
  expect(await rows()).toMatchObject([{ state: 'sent', attempts: 3 }]);
});

it('gives a mail up in the end', async () => {
  mailbox.onRecipient = () => '451 4.7.1 Never';
  await queue({ template: 'password_changed', to: 'a@example.test', user_id: null });
  for (let i = 0; i < max_attempts; i++) {
    await sender().step();
    pass(3_600_000);
  }
  expect(await sender().step()).toMatchObject({ taken: 0 });
  expect(await rows()).toMatchObject([{ state: 'failed', attempts: max_attempts, data: '' }]);
});

it('a mail that waited for a day is not sent: its links lead nowhere', async () => {
  await queue({ template: 'reset_password', to: 'a@example.test', user_id: null });
  pass(25 * 3_600_000);
  await sender().step();
  expect(mailbox.mails).toEqual([]);
  expect(await rows()).toMatchObject([{ state: 'failed' }]);
});

it('several senders send each mail once', async () => {
  for (let i = 0; i < 30; i++)
    await queue({ template: 'password_changed', to: `a${i}@example.test`, user_id: null });
  await Promise.all([sender().step(), sender().step(), sender().step()]);
  expect(mailbox.mails.flatMap(toOf).sort()).toEqual(
    Array.from({ length: 30 }, (_, i) => `a${i}@example.test`).sort(),
  );
});

const plainBlanks = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ');

describe('a server that hangs', () => {
  let silent: Server;
  const sockets = new Set<{ destroy(): void }>();
  const hang = async (greet: (write: (text: string) => void) => void) => {
    silent = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      greet((text) => socket.writable && socket.write(text));
    });
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
    smtp_url = `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  };
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => silent.close(done));
  });

  it('without a word holds nothing up, and costs no attempt', async () => {
    await hang(() => {});
    for (let i = 0; i < 9; i++)
      await queue({ template: 'password_changed', to: `a${i}@example.test`, user_id: null });
    const began = performance.now();
    expect(await sender({ silence_ms: 100, step_ms: 300 }).step()).toEqual({
      taken: 9,
      is_server_away: true,
    });
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(await rows()).toMatchObject(Array(9).fill({ state: 'waiting', attempts: 0 }));
  });

  it('and drips is given up as well', async () => {
    let dripping: NodeJS.Timeout | undefined;
    await hang((write) => {
      dripping = setInterval(() => write('2'), 20);
    });
    await queue({ template: 'password_changed', to: 'a@example.test', user_id: null });
    expect(await sender({ silence_ms: 200, step_ms: 300 }).step()).toMatchObject({ is_server_away: true });
    clearInterval(dripping);
  });
});

it('a server that is not there is reported, nothing is lost', async () => {
  smtp_url = 'smtp://127.0.0.1:1';
  await queue({ template: 'password_changed', to: 'a@example.test', user_id: null });
  expect(await sender().step()).toEqual({ taken: 1, is_server_away: true });
  expect(await rows()).toMatchObject([{ state: 'waiting', attempts: 0 }]);
});

it('names and addresses add no header and no recipient', async () => {
  const { id: user_id } = await build.user(database.sql);
  const evil = 'Lanternroot\r\nBcc: victim@example.test\r\n\r\nbody';
  await queue({
    template: 'team_invite',
    to: null,
    user_id,
    data: { ...mailSamples.team_invite, name: evil },
  });
  for (const to of [
    'a@example.test\r\nBcc: b@example.test',
    'a@example.test, b@example.test',
    '<a@example.test>',
    'a\u0000@example.test',
  ])
    await database.sql`
      insert into mails (id, template, to_address, locale, data, due, created)
      select ${`E${to.length}${to.charCodeAt(1)}`}, template, ${to.replaceAll('\0', '\x01')}, locale, data, due, created
      from mails where template = 'team_invite' limit 1`;
  await sender().step();
  const heads = mailbox.mails.flatMap(({ headerLines }) => headerLines.map(({ key }) => key));
  expect(heads).not.toContain('bcc');
  expect(mailbox.mails[0]?.subject).toBe('Invitation to Lanternroot Bcc: victim@example.test body');
  expect(mailbox.mails.flatMap(toOf)).not.toContain('victim@example.test');
  expect(mailbox.mails.flatMap(toOf)).not.toContain('b@example.test');
});

it('a mail that cannot be opened is given up, and the others are sent', async () => {
  await queue({ template: 'password_changed', to: 'a@example.test', user_id: null });
  await database.sql`update mails set data = 'v1.AAAA'`;
  pass(1);
  await queue({ template: 'password_changed', to: 'b@example.test', user_id: null });
  await sender().step();
  expect((await rows()).map(({ state }) => state)).toEqual(['failed', 'sent']);
});

it('mails are deleted after 30 days', async () => {
  await queue({ template: 'password_changed', to: 'a@example.test', user_id: null });
  expect(await deleteOldMails(database.sql, new Date(now.getTime() + 29 * 86_400_000))).toBe(0);
  expect(await deleteOldMails(database.sql, new Date(now.getTime() + 31 * 86_400_000))).toBe(1);
});
