import type { Actor } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { type MediaSettings, mediaUrlOrNull } from '../../../platform/storage/url.ts';
import { findAuthorizedServer } from '../read.ts';
import { max_members } from '../rights/rules.ts';
import { whyNotHave } from '../rules.ts';
import type { PersonHere, ServerInvitation, ServerPeople, ServerPerson } from './view.ts';

/** Most open invitations that one person is shown. */
const max_invitations = 50;

type Row = Omit<ServerPerson, 'avatar_url'> & { avatar_key: string | null };

/** Everybody on a server beside its owner, invited ones too: by name, who joined first. */
const personRows = (db: Db, server_id: string) => db<Row[]>`
  select m.user_id, u.username, u.avatar_key, m.role, m.rights, i.username as invited_by, m.created, m.accepted, m.sent
  from server_members m join users u on u.id = m.user_id left join users i on i.id = m.invited_by
  where m.server_id = ${server_id} order by m.accepted is null, lower(u.username), m.user_id limit ${max_members}`;

/** The people of a server for one of them. Refuses as `whyNotSee`. */
export async function peopleOf(
  db: Db,
  settings: MediaSettings,
  actor: Actor,
  server_id: string,
  now: Date,
): Promise<ServerPeople> {
  const { view, facts } = await findAuthorizedServer(db, actor, server_id, now);
  const [owner] = await db<{ user_id: string; username: string; avatar_key: string | null }[]>`
    select id as user_id, username, avatar_key from users where id = ${facts.owner_id}`;
  const manages = whyNotHave.people(actor, facts) === null;
  const rows = await personRows(db, view.id);
  const shown = <T extends { avatar_key: string | null }>({ avatar_key, ...person }: T) => ({
    ...person,
    avatar_url: mediaUrlOrNull(settings, avatar_key),
  });
  return {
    owner: shown(owner ?? { user_id: facts.owner_id, username: '', avatar_key: null }),
    people: rows.filter(({ accepted }) => manages || accepted !== null).map(shown),
    most: max_members,
    me: actor.user_id,
  };
}

/** Names and pictures of these accounts, by name. */
export async function presentPeople(
  db: Db,
  settings: MediaSettings,
  user_ids: readonly string[],
): Promise<PersonHere[]> {
  if (user_ids.length === 0) return [];
  const rows = await db<{ user_id: string; username: string; avatar_key: string | null }[]>`
    select id as user_id, username, avatar_key from users where id = any(${user_ids as string[]}) order by lower(username)`;
  return rows.map(({ avatar_key, ...person }) => ({
    ...person,
    avatar_url: mediaUrlOrNull(settings, avatar_key),
  }));
}

/** The invitations that wait for an answer of the actor, newest first; with `ids` those to these servers. */
export async function serverInvitations(
  db: Db,
  actor: Pick<Actor, 'user_id'>,
  ids: readonly string[] | null = null,
): Promise<ServerInvitation[]> {
  if (ids?.length === 0) return [];
  const found = await db<ServerInvitation[]>`
    select m.server_id, s.name as server, o.username as owner, i.username as invited_by, m.role, m.rights, m.sent
    from server_members m join servers s on s.id = m.server_id join users o on o.id = s.owner_id
      left join users i on i.id = m.invited_by
    where m.user_id = ${actor.user_id} and m.accepted is null and s.lifecycle <> 'deprovisioning'
      ${ids === null ? db`` : db`and m.server_id = any(${ids as string[]})`}
    order by m.sent desc, m.server_id limit ${max_invitations}`;
  return [...found];
}

/** Those of the servers that a user may open now: their own, and those they are on. */
export async function openableServers(
  db: Db,
  { user_id }: Pick<Actor, 'user_id'>,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db<Array<{ id: string }>>`
    select s.id from servers s
    where s.id = any(${ids as string[]}) and s.lifecycle <> 'deprovisioning' and (s.owner_id = ${user_id} or exists (
      select 1 from server_members m where m.server_id = s.id and m.user_id = ${user_id} and m.accepted is not null))`;
  return new Set(rows.map(({ id }) => id));
}
