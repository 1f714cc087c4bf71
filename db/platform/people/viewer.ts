import type { ReadContext } from '../read-context.ts';
import { mediaUrlOrNull } from '../storage/url.ts';
import { roleNow } from './role-now.ts';
import type { Role } from './rules.ts';

/** What every page shows of the current user. */
export interface ViewerAccount {
  user: { id: string; username: string; avatar_url: string | null; role: Role };
  /** Those of the asked projects and people that the user follows. */
  follows: string[];
  /** Projects in their collections: those that were asked for first, `most_saved` at most. */
  saved: string[];
  /** Unread notifications on the site, counted up to `counted_unread`. */
  unread: number;
  /** Whether the user has Plus now. */
  plus: boolean;
  /** A subscription of theirs could not be renewed. */
  unpaid: boolean;
  /** Their address while it is not verified. */
  unverified: string | null;
  /** The server that it pays for; null for Plus. */
  unpaid_for: string | null;
}

/** Enough for what a list shows after it changed; ids have 8 letters. */
const most_saved = 300;

/** So many unread notifications are counted: pages show no more than 99 and a plus sign. */
const counted_unread = 100;

/** What every page shows of a user, in one query; null when the user does not exist. Source: design §4.4. */
export async function viewerAccount(
  { sql, settings }: ReadContext,
  user_id: string,
  asked: readonly string[],
): Promise<ViewerAccount | null> {
  const [row] = await sql<
    Array<{
      id: string;
      username: string;
      avatar_key: string | null;
      role: Role;
      follows: string[];
      saved: string[];
      unread: number;
      plus: boolean;
      unpaid: { name: string | null } | null;
      unverified: string | null;
    }>
  >`
    select u.id, u.username, u.avatar_key, ${roleNow(sql)},
      case when not u.email_verified then u.email end as unverified,
      array(select project_id::text from follows
        where user_id = u.id and project_id = any(${asked as string[]})
        union all select followed_id::text from user_follows
        where user_id = u.id and followed_id = any(${asked as string[]})) as follows,
      array(select c.project_id::text from collection_projects c
        where c.collection_id in (select id from collections where user_id = u.id)
        group by c.project_id order by c.project_id = any(${asked as string[]}) desc, c.project_id desc
        limit ${most_saved}) as saved,
      (select count(*)::int from (
        select from notifications where user_id = u.id and not read and on_site limit ${counted_unread}) newest) as unread,
      exists (select from plus_members p where p.user_id = u.id) as plus,
      (select jsonb_build_object('name', coalesce(v.name, o.name))
        from subscriptions s left join orders o on o.id = s.order_id left join servers v on v.id = s.server_id
        where s.user_id = u.id and (s.state = 'failed' or (s.state = 'grace' and s.grace_reason = 'payment_failed'))
        order by s.created limit 1) as unpaid
    from users u where u.id = ${user_id}`;
  if (!row) return null;
  const { follows, saved, unread, plus, unpaid, avatar_key, unverified, ...user } = row;
  const avatar_url = mediaUrlOrNull(settings, avatar_key);
  return {
    ...{ user: { ...user, avatar_url }, follows, saved, unread, plus, unverified },
    ...{ unpaid: unpaid !== null, unpaid_for: unpaid?.name ?? null },
  };
}
