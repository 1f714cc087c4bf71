import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { mailSamples } from '#content/mails/samples.ts';
import { takeMails } from '#db/messages/mail/outbox.ts';
import { type NewMail, queueMail } from '#db/messages/mail/queue.ts';
import { listOf, mailTemplates } from '#db/messages/mail/rules.ts';
import { parseSettings } from '#db/platform/runtime/env.ts';
import { createSealer } from '#db/platform/secrets/seal.ts';
import { testDatabase } from '#db/testing/database.ts';

const database = testDatabase();
const settings = parseSettings({ SMTP_URL: 'smtp://127.0.0.1:2525', MAIL_FROM: 'Cairn <mail@example.org>' });
const mailing = { settings, sealer: createSealer(randomBytes(32)) };
const start = new Date('2026-11-29T12:00:00Z');

test('mails about accounts are sent before notifications, and those before the newsletter', async () => {
  const { sql } = database;
  // the newest are those that somebody waits for
  const turn = (list: string | null) => (list === null ? 0 : list === 'newsletter' ? 2 : 1);
  const queued = [...mailTemplates].sort((a, b) => turn(listOf[b]) - turn(listOf[a]));
  for (const [at, template] of queued.entries()) {
    const mail = {
      template,
      to: 'ada@example.org',
      is_proven: true,
      user_id: null,
      data: mailSamples[template],
    };
    // a list is left by accounts, whose address is known
    await sql.begin((tx) =>
      queueMail(tx, mailing, { ...mail, now: new Date(start.getTime() + at) } as NewMail),
    );
  }
  const taken: number[] = [];
  for (;;) {
    const [mail] = await takeMails(sql, new Date(start.getTime() + 60_000), 1);
    if (!mail) break;
    taken.push(turn(listOf[mail.template]));
  }
  expect(taken).toEqual([...taken].sort());
  expect(taken).toContain(0);
});
