import type { ReadContext } from '../read-context.ts';
import { mediaUrlOrNull } from '../storage/url.ts';
import { ghostId } from './rules.ts';

/** A user as the search for users shows one. Source: api-v3 §3.7. */
export interface FoundUser {
  id: string;
  username: string;
  avatar_url: string | null;
}

const max_found = 25;

/**
 * Users whose name begins with `text`, ignoring case; the exact name first, then by name. At most 25; an empty text
 * finds nobody. Source: api-v3 §3.7; api-behaviours §16.
 */
export async function searchUsers({ sql, settings }: ReadContext, text: string): Promise<FoundUser[]> {
  const beginning = text.toLowerCase();
  // names have no other characters, so nothing else can match, and the wildcard _ is the only one to escape
  if (!/^[a-z0-9._-]{1,39}$/.test(beginning)) return [];
  const pattern = `${beginning.replaceAll('_', '\\_')}%`;
  const rows = await sql<Array<{ id: string; username: string; avatar_key: string | null }>>`
    select id, username, avatar_key from users
    where lower(username::text) collate "C" like ${pattern} and id <> ${ghostId}
    order by lower(username::text) = ${beginning} desc, lower(username::text) collate "C" limit ${max_found}`;
  return rows.map(({ avatar_key, ...user }) => ({
    ...user,
    avatar_url: mediaUrlOrNull(settings, avatar_key),
  }));
}
