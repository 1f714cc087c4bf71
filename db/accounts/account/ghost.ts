import { ghostId } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';

/**
 * Makes sure that the Ghost user exists and gives its id. It has no password and no e-mail address. Somebody may have
 * taken its name before.
 */
export async function ensureGhost(tx: Db): Promise<string> {
  await tx`
    insert into users (id, username, allow_friend_requests)
    select ${ghostId}, case when exists (select from users where username = 'Ghost') then ${`Ghost.${ghostId}`} else 'Ghost' end, false
    on conflict do nothing`;
  return ghostId;
}
