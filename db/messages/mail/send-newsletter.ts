import { Refused } from '../../platform/errors.ts';
import { networkHasher } from '../../platform/files/network-hash.ts';
import { newId } from '../../platform/id.ts';
import type { Db, Pool } from '../../platform/postgres/sql.ts';
import { type Mailing, mailMode, mailPurpose } from './queue.ts';
import type { MailData } from './rules.ts';

/** An article as its newsletter names it; `slug` is what it is known by, however often it is edited. */
export interface NewsletterArticle {
  slug: string;
  mail: MailData['newsletter'];
}

/** What became of a newsletter. Subscribers whose address a mail server refused are in none of the numbers. */
export interface SentNewsletter {
  subscribers: number;
  queued: number;
  /** Who got the article before. */
  had_it: number;
}

interface Options {
  now: Date;
  /** Counts `queued` without writing anything. */
  dry_run?: boolean;
  /** Subscribers of one transaction. */
  page?: number;
}

interface Subscriber {
  email: string;
  user_id: string | null;
  locale: string;
}

/**
 * Queues one mail about an article for each subscriber who did not get it yet, in the language of their account or of
 * their subscription. Each page of subscribers is a transaction of its own that also notes who has the article, so that
 * a run that was cut off is completed by the next one, and two at the same time send nothing twice. Refuses `mail_off`.
 */
export async function queueNewsletter(
  sql: Pool,
  mailing: Mailing,
  article: NewsletterArticle,
  { now, dry_run = false, page = 500 }: Options,
): Promise<SentNewsletter> {
  if (mailMode(mailing.settings) === 'off') throw new Refused('mail_off');
  const hash = await networkHasher(sql, 'newsletter');
  const hashOf = ({ email }: Subscriber) => hash(email.toLowerCase());
  const sent: SentNewsletter = { subscribers: 0, queued: 0, had_it: 0 };
  for (let after = ''; ; ) {
    const subscribers = await subscribersAfter(sql, after, page);
    const byHash = new Map(subscribers.map((one) => [hashOf(one), one]));
    const queued = dry_run
      ? byHash.size - (await haveIt(sql, article.slug, [...byHash.keys()]))
      : await sql.begin((tx) => queuePage(tx, mailing, article, { byHash, now }));
    sent.subscribers += subscribers.length;
    sent.queued += queued;
    sent.had_it += subscribers.length - queued;
    const last = subscribers.at(-1);
    if (!last || subscribers.length < page) return sent;
    after = last.email;
  }
}

const subscribersAfter = (db: Db, after: string, limit: number): Promise<Subscriber[]> =>
  db<Subscriber[]>`
    select n.email::text as email, n.user_id, coalesce(p.data -> 'localization' ->> 'locale', n.locale) as locale
    from newsletter_subscriptions n
    left join users u on u.id = n.user_id left join user_preferences p on p.user_id = n.user_id
    where n.email > ${after}::text::citext and (u.email_refused is null or u.email <> n.email)
    order by n.email limit ${limit}`;

async function haveIt(db: Db, article: string, hashes: readonly string[]): Promise<number> {
  const [{ count }] = await db<[{ count: number }]>`
    select count(*)::int as count from newsletter_mails
    where article = ${article} and address_hash = any(${hashes as string[]})`;
  return count;
}

async function queuePage(
  tx: Db,
  { settings, sealer }: Mailing,
  { slug, mail }: NewsletterArticle,
  { byHash, now }: { byHash: ReadonlyMap<string, Subscriber>; now: Date },
): Promise<number> {
  const fresh = await tx<Array<{ address_hash: string }>>`
    insert into newsletter_mails (article, address_hash, queued)
    select ${slug}, hash, ${now} from unnest(${[...byHash.keys()]}::text[]) as hash order by hash
    on conflict do nothing returning address_hash`;
  if (fresh.length === 0) return 0;
  const is_demo = mailMode(settings) === 'demo';
  const text = JSON.stringify(mail);
  const rows = fresh.map(({ address_hash }) => {
    const { email: to_address, user_id, locale } = byHash.get(address_hash)!;
    const id = newId();
    const data = sealer.seal(text, mailPurpose(id));
    const state = is_demo ? { state: 'sent', sent: now } : { state: 'waiting', sent: null };
    return {
      id,
      template: 'newsletter',
      to_address,
      user_id,
      locale,
      data,
      ...state,
      due: now,
      created: now,
    };
  });
  await tx`insert into mails ${tx(rows)}`;
  return rows.length;
}
