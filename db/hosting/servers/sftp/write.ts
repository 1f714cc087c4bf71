import { assertAllowed, type RefusalCode, Refused } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/write.ts';
import { newId, randomText } from '../../../platform/id.ts';
import { hashPassword } from '../../../platform/people/password.ts';
import { type Actor, whyNotProvedOrNew } from '../../../platform/people/rules.ts';
import { oneLine } from '../../../platform/plain-text/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { lockChangeableServer } from '../locked.ts';
import { type ServerFacts, whyNotHave } from '../rules.ts';
import { parsePublicKey } from './public-key.ts';
import { keyNameLengths, max_keys, password_letters } from './rules.ts';
import type { SftpKeyView } from './view.ts';

/**
 * How a person signs in by SFTP. Everything here refuses as `whyNotHave.files` says; what opens a way in, which outlives the
 * session, `sftp_members_only` and `proof_required` besides.
 */

/** Why SFTP would not let the actor in: there a role is worth nothing, only the server's own people have it. */
const whyNotSignInAs = (actor: Actor, facts: ServerFacts): RefusalCode | null =>
  whyNotHave.files({ ...actor, role: 'developer' }, facts) ? 'sftp_members_only' : null;

/** A new password and its hash: made before the transaction, because hashing takes long. */
export async function newSftpPassword(): Promise<{ password: string; hash: string }> {
  const password = randomText(password_letters);
  return { password, hash: await hashPassword(password) };
}

/** Stores the hash of a new password; connections that used the one before end. */
export async function setSftpPassword(
  tx: Db,
  actor: Actor,
  { server_id, hash }: { server_id: string; hash: string },
  now: Date,
): Promise<void> {
  const { facts } = await lockChangeableServer(tx, actor, server_id, now, whyNotHave.files);
  assertAllowed(whyNotSignInAs(actor, facts) ?? whyNotProvedOrNew(actor, now));
  const row = { user_id: actor.user_id, server_id, password_hash: hash, created: now };
  await tx`
    insert into sftp_passwords ${tx(row)}
    on conflict (user_id, server_id) do update
      set password_hash = excluded.password_hash, created = excluded.created, last_used = null`;
  await recordEvent(tx, { name: 'server.sftp_password_set', actor_id: actor.user_id, server_id });
}

/**
 * Adds a public key; the same one under another name is renamed. Refuses `sftp_key_name_length`, `sftp_keys_too_many` and as
 * `parsePublicKey` besides.
 */
export async function addSftpKey(
  tx: Db,
  actor: Actor,
  { server_id, name, public_key }: { server_id: string; name: string; public_key: string },
  now: Date,
): Promise<SftpKeyView> {
  const shown = oneLine(name).replace(/\s+/g, ' ');
  if (shown.length < keyNameLengths.least || shown.length > keyNameLengths.most)
    throw new Refused('sftp_key_name_length', { ...keyNameLengths });
  const key = parsePublicKey(public_key);
  const { facts } = await lockChangeableServer(tx, actor, server_id, now, whyNotHave.files);
  assertAllowed(whyNotSignInAs(actor, facts) ?? whyNotProvedOrNew(actor, now));
  const own = { user_id: actor.user_id, server_id };
  const [count] = await tx<Array<{ others: number }>>`
    select count(*)::int as others from sftp_keys
    where user_id = ${own.user_id} and server_id = ${server_id} and fingerprint <> ${key.fingerprint}`;
  if (count!.others >= max_keys) throw new Refused('sftp_keys_too_many', { most: max_keys });
  const [stored] = await tx<SftpKeyView[]>`
    insert into sftp_keys ${tx({ id: newId(), ...own, name: shown, ...key, created: now })}
    on conflict (user_id, server_id, fingerprint) do update set name = excluded.name
    returning id, name, fingerprint, created, last_used`;
  const data = { fingerprint: key.fingerprint };
  await recordEvent(tx, { name: 'server.sftp_key_added', actor_id: actor.user_id, server_id, data });
  return stored!;
}

/** Removes a key of the actor; connections that used it end. Refuses `sftp_key_not_found`. */
export async function removeSftpKey(
  tx: Db,
  actor: Actor,
  { server_id, key_id }: { server_id: string; key_id: string },
  now: Date,
): Promise<void> {
  await lockChangeableServer(tx, actor, server_id, now, whyNotHave.files);
  const [removed] = await tx<Array<{ fingerprint: string }>>`
    delete from sftp_keys where id = ${key_id} and user_id = ${actor.user_id} and server_id = ${server_id}
    returning fingerprint`;
  if (!removed) throw new Refused('sftp_key_not_found');
  await recordEvent(tx, {
    name: 'server.sftp_key_removed',
    actor_id: actor.user_id,
    server_id,
    data: removed,
  });
}

/** A person signed in; the audit log has it once an hour for each password and key. */
export async function recordSftpUse(
  tx: Db,
  login: { user_id: string; server_id: string; key_id: string | null },
  now: Date,
): Promise<void> {
  const { user_id, server_id, key_id } = login;
  const hour_ago = new Date(now.getTime() - 3_600_000);
  const due = tx`(last_used is null or last_used < ${hour_ago})`;
  const [used] = key_id
    ? await tx`update sftp_keys set last_used = ${now} where id = ${key_id} and ${due} returning 1`
    : await tx`
        update sftp_passwords set last_used = ${now}
        where user_id = ${user_id} and server_id = ${server_id} and ${due} returning 1`;
  if (!used) return;
  const data = { by: key_id ? ('key' as const) : ('password' as const) };
  await recordEvent(tx, { name: 'server.sftp_opened', actor_id: user_id, server_id, data });
}
