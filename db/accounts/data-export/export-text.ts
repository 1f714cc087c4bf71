import type { Db } from '../../platform/postgres/sql.ts';
import type { ReadContext } from '../../platform/read-context.ts';
import { mediaUrl, mediaUrlOrNull } from '../../platform/storage/url.ts';

/** Rows fetched by one query: what is in memory at a time. */
const page = 500;

interface Identified {
  id: string;
}
type Section = { value: unknown } | { items: AsyncIterable<unknown> };

/** All rows of a query in the order of their ids, page by page. */
async function* paged<R extends Identified>(
  load: (after: string, limit: number) => Promise<R[]>,
): AsyncGenerator<R> {
  for (let after = ''; ; ) {
    const rows = await load(after, page);
    yield* rows;
    if (rows.length < page) return;
    after = rows.at(-1)!.id;
  }
}

async function* mapped<A, B>(items: AsyncIterable<A>, to: (item: A) => B): AsyncGenerator<B> {
  for await (const item of items) yield to(item);
}

/**
 * Everything stored about a user, by the keys of api-v3 §7, read while it is written out: no secret (hashes, keys, sealed
 * texts) and nothing private of others.
 */
function exportSections(context: ReadContext, user_id: string): Record<string, Section> {
  const { sql, settings } = context;
  const list = (load: (db: Db, after: string, limit: number) => PromiseLike<object[]>): Section => ({
    items: paged(async (after, limit) => (await load(sql, after, limit)) as Identified[]),
  });
  return {
    user: { items: one(context, user_id) },
    collections: list(
      (db, after, limit) => db`
        select id, name, description, status, created, updated,
          array(select project_id::text from collection_projects where collection_id = c.id order by place) as projects,
          (select jsonb_object_agg(project_id, note) from collection_projects
            where collection_id = c.id and note is not null) as notes
        from collections c where user_id = ${user_id} and id > ${after} order by id limit ${limit}`,
    ),
    follows: list(
      (db, after, limit) => db`
        select project_id as id, created, muted, loaders, game_versions from follows
        where user_id = ${user_id} and project_id > ${after} order by project_id limit ${limit}`,
    ),
    projects: list(
      (db, after, limit) => db`
        select p.id, p.slug, p.title, p.description, p.status, p.published, p.updated, m.role, m.is_owner, m.accepted
        from team_members m join projects p on p.team = m.team_id
        where m.user_id = ${user_id} and p.id > ${after} order by p.id limit ${limit}`,
    ),
    orgs: list(
      (db, after, limit) => db`
        select o.id, o.slug, o.name, o.created, m.role, m.is_owner, m.accepted
        from team_members m join organizations o on o.team_id = m.team_id
        where m.user_id = ${user_id} and o.id > ${after} order by o.id limit ${limit}`,
    ),
    notifs: list(
      (db, after, limit) => db`
        select id, type, body, read, created from notifications
        where user_id = ${user_id} and id > ${after} order by id limit ${limit}`,
    ),
    notifs_deliveries: list(
      (db, after, limit) => db`
        select id, template, to_address, locale, state, created, sent from mails
        where user_id = ${user_id} and id > ${after} order by id limit ${limit}`,
    ),
    oauth_clients: list(
      (db, after, limit) => db`
        select id, name, url, description, max_scopes, created,
          array(select uri from oauth_redirect_uris where client_id = c.id order by position) as redirect_uris
        from oauth_clients c where created_by = ${user_id} and id > ${after} order by id limit ${limit}`,
    ),
    oauth_authorizations: list(
      (db, after, limit) => db`
        select id, client_id, scopes, created from oauth_authorizations
        where user_id = ${user_id} and id > ${after} order by id limit ${limit}`,
    ),
    pats: list(
      (db, after, limit) => db`
        select id, name, scopes, created, expires, last_used from tokens
        where user_id = ${user_id} and id > ${after} order by id limit ${limit}`,
    ),
    payouts: list(
      (db, after, limit) => db`
        select id, state, method_type, method_name, country, address, receiver, amount_minor, fee_minor, failure, created,
          settled
        from payouts where user_id = ${user_id} and id > ${after} order by id limit ${limit}`,
    ),
    reports: list(
      (db, after, limit) => db`
        select id, report_type, item_type, coalesce(project_id, version_id, user_id) as item_id, body, created, closed,
          thread_id
        from reports where reporter = ${user_id} and id > ${after} order by id limit ${limit}`,
    ),
    // what moderators write among themselves is not theirs alone
    messages: list(
      (db, after, limit) => db`
        select id, thread_id, type, body, created from thread_messages
        where author_id = ${user_id} and not private and id > ${after} order by id limit ${limit}`,
    ),
    uploaded_images: {
      items: mapped(
        paged<Identified & { key: string; raw_key: string }>(
          (after, limit) => sql`
            select id, key, raw_key, size, context, created from images
            where owner_id = ${user_id} and id > ${after} order by id limit ${limit}`,
        ),
        ({ key, raw_key, ...image }) => ({
          ...image,
          url: mediaUrl(settings, key),
          raw_url: mediaUrl(settings, raw_key),
        }),
      ),
    },
    subscriptions: list(
      (db, after, limit) => db`
        select id, server_id, state, term, currency, price_minor, period_start, period_end, created, cancel_reason, cancel_note,
          (select coalesce(json_agg(json_build_object('id', c.id, 'state', c.state, 'created', c.created) order by c.id), '[]')
            from charges c where c.subscription_id = s.id) as charges
        from subscriptions s where user_id = ${user_id} and id > ${after} order by id limit ${limit}`,
    ),
    security_log: {
      items: paged(async (after, limit) => {
        const rows = await sql<Array<Identified>>`
          select lpad(id::text, 20, '0') as id, kind, case when by_id is null then address end as address,
            case when by_id is null then credential end as credential, detail, first, last, times from security_events
          where user_id = ${user_id} and id > ${after === '' ? '0' : after}::bigint order by id limit ${limit}`;
        return rows;
      }),
    },
  };
}

/** The account with what is bound to it alone; nothing when it was deleted meanwhile. */
async function* one({ sql, settings }: ReadContext, user_id: string): AsyncGenerator<object> {
  const [row] = await sql<
    Array<Record<string, unknown> & { avatar_key: string | null; banner_key: string | null }>
  >`
    select u.id, u.username, u.email, u.email_verified, u.bio, u.links, u.avatar_key, u.banner_key, u.created, u.role, u.badges,
      u.allow_friend_requests, u.password_hash is not null as has_password,
      (select data from user_preferences where user_id = u.id) as preferences,
      (select json_build_object('types', types, 'loaders', loaders, 'game_versions', game_versions)
        from notification_choices where user_id = u.id) as notification_choices,
      (select coalesce(json_agg(json_build_object('created', created, 'last_used', last_used, 'os', os,
        'platform', platform, 'user_agent', user_agent, 'ip', ip, 'city', city, 'country', country) order by created), '[]')
        from sessions where user_id = u.id) as sessions,
      (select coalesce(json_agg(json_build_object('provider', provider, 'name', name, 'created', created)), '[]')
        from linked_accounts where user_id = u.id) as linked_accounts,
      array(select case when user_id = u.id then friend_id else user_id end::text from friends
        where user_id = u.id or friend_id = u.id) as friends,
      (select json_build_object('country', country, 'name', name, 'paypal_address', paypal_address, 'venmo_handle', venmo_handle,
        'delivery_email', delivery_email) from payout_details where user_id = u.id) as payout_details,
      (select json_build_object('form_type', form_type, 'requested', requested, 'signed', signed)
        from tax_forms where user_id = u.id) as tax_form,
      (select json_build_object('name', name, 'address', address, 'tax_id', tax_id)
        from billing_addresses where user_id = u.id) as billing_address,
      array(select blocked_id::text from blocks where user_id = u.id) as blocks,
      array(select followed_id::text from user_follows where user_id = u.id) as followed_users,
      array(select project_id::text from pins where user_id = u.id order by place) as pinned_projects
    from users u where u.id = ${user_id}`;
  if (!row) return;
  const { avatar_key, banner_key, ...user } = row;
  yield {
    ...user,
    avatar_url: mediaUrlOrNull(settings, avatar_key),
    banner_url: mediaUrlOrNull(settings, banner_key),
  };
}

/** The sections as the text of one JSON object, a piece for each row; `user` is an object, the others are arrays. */
export async function* exportText(context: ReadContext, user_id: string): AsyncGenerator<string> {
  let before = '{';
  for (const [name, section] of Object.entries(exportSections(context, user_id))) {
    yield `${before}\n${JSON.stringify(name)}: `;
    before = ',';
    if ('value' in section) {
      yield JSON.stringify(section.value);
      continue;
    }
    const alone = name === 'user';
    let count = 0;
    for await (const item of section.items) {
      yield `${alone ? '' : count === 0 ? '[\n' : ',\n'}${JSON.stringify(item)}`;
      count++;
    }
    if (alone) yield count === 0 ? 'null' : '';
    else yield count === 0 ? '[]' : '\n]';
  }
  yield '\n}\n';
}
