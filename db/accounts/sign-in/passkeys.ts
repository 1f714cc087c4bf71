import {
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type RegistrationResponseJSON,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { type Mailing, queueMail } from '../../messages/mail/queue.ts';
import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import { openFlow, takeFlow } from '../../platform/flows/write.ts';
import { newId } from '../../platform/id.ts';
import { type Actor, whyNotProved } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { Settings } from '../../platform/runtime/env.ts';
import { factorsOf } from './read.ts';
import { relyingParty } from './relying-party.ts';
import { max_passkeys, whyNotLoseWay } from './rules.ts';
import { dropPasskeyStep } from './two-factor.ts';

/** Passkeys of a user: making, naming and removing them. Source: api-v3 §4 (passkey). */

/** A passkey as in the API. */
export interface Passkey {
  id: string;
  name: string;
  created_at: string;
  last_used: string | null;
}

/** The passkeys of a user, oldest first. */
export const passkeysOf = async (db: Db, user_id: string): Promise<Passkey[]> =>
  await db<Passkey[]>`
    select id, name, created as created_at, last_used from passkeys where user_id = ${user_id} order by created, id`;

/**
 * What a browser makes a passkey with, and the flow that it belongs to. It must be one that finds its account by itself
 * and checks its owner, so that it can be the only factor. Refuses `proof_required`, `too_many_passkeys`,
 * `passkeys_unavailable`.
 */
export async function startPasskey(
  tx: Db,
  { settings }: { settings: Settings },
  { actor, now }: { actor: Actor; now: Date },
): Promise<{ options: PublicKeyCredentialCreationOptionsJSON; flow: string }> {
  assertAllowed(whyNotProved(actor, now));
  const { user_id, username } = actor;
  const { id: rpID, name: rpName } = relyingParty(settings);
  const known = await tx<Array<{ id: string; transports: string[] }>>`
    select credential_id as id, transports from passkeys where user_id = ${user_id}`;
  assertRoom(known.length);
  const options = await generateRegistrationOptions({
    rpID,
    rpName,
    userName: username,
    userID: new TextEncoder().encode(user_id),
    attestationType: 'none',
    excludeCredentials: known as never,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  const data = { challenge: options.challenge };
  return { options, flow: await openFlow(tx, 'passkey_register', { user_id, data, now }) };
}

function assertRoom(passkeys: number): void {
  if (passkeys >= max_passkeys) throw new Refused('too_many_passkeys', { max: max_passkeys });
}

/**
 * Stores the passkey that a browser made for `flow`, under `name` of 1 to 255 characters. Refuses `proof_required`,
 * `flow_invalid`, `passkey_invalid`, `passkey_known`, `too_many_passkeys`.
 */
export async function addPasskey(
  tx: Db,
  mailing: Mailing,
  {
    actor,
    flow,
    name,
    credential,
    now,
  }: {
    actor: Actor;
    flow: string;
    name: string;
    credential: RegistrationResponseJSON;
    now: Date;
  },
): Promise<Passkey> {
  assertAllowed(whyNotProved(actor, now));
  const { user_id, username } = actor;
  const open = await takeFlow(tx, 'passkey_register', flow, now);
  if (open?.user_id !== user_id) throw new Refused('flow_invalid');
  const { id: expectedRPID, origins } = relyingParty(mailing.settings);
  const expectedChallenge = String(open.data.challenge);
  const made = await verifyRegistrationResponse({
    ...{ response: credential, expectedChallenge, expectedOrigin: origins, expectedRPID },
    requireUserVerification: true,
  }).catch(() => null); // whatever is wrong with it, it is not what we asked for
  if (!made?.verified) throw new Refused('passkey_invalid');
  // the user's row is locked before the count, which would otherwise not see those of parallel requests
  await tx`select from users where id = ${user_id} for no key update`;
  assertRoom((await factorsOf(tx, user_id)).passkeys);
  const { credential: key, credentialDeviceType, credentialBackedUp } = made.registrationInfo;
  const row = {
    id: newId(),
    user_id,
    credential_id: key.id,
    public_key: Buffer.from(key.publicKey),
    counter: key.counter,
    transports: (key.transports ?? []).slice(0, 8).map((way) => String(way).slice(0, 32)),
    multi_device: credentialDeviceType === 'multiDevice',
    backed_up: credentialBackedUp,
    name,
    created: now,
  };
  const { count } = await tx`insert into passkeys ${tx(row)} on conflict (credential_id) do nothing`;
  if (count === 0) throw new Refused('passkey_known');
  await queueMail(tx, mailing, {
    template: 'passkey_added',
    to: null,
    user_id,
    data: { username, name },
    now,
  });
  await recordEvent(tx, { name: 'user.edited', user_id, data: { passkey: 'added' } });
  return { id: row.id, name, created_at: now.toISOString(), last_used: null };
}

/** Gives a passkey of the actor's another name of 1 to 255 characters. Refuses `passkey_unknown`. */
export async function renamePasskey(
  tx: Db,
  { actor: { user_id }, id, name }: { actor: Actor; id: string; name: string },
): Promise<void> {
  const { count } = await tx`update passkeys set name = ${name} where id = ${id} and user_id = ${user_id}`;
  if (count === 0) throw new Refused('passkey_unknown');
  await recordEvent(tx, { name: 'user.edited', user_id, data: { passkey: 'renamed' } });
}

/**
 * Removes a passkey of the actor's; with the last one, no passkey is asked for after the password anymore. Refuses
 * `proof_required`, `passkey_unknown`, `last_sign_in_method`.
 */
export async function removePasskey(
  tx: Db,
  mailing: Mailing,
  { actor, id, now }: { actor: Actor; id: string; now: Date },
): Promise<void> {
  assertAllowed(whyNotProved(actor, now));
  const { user_id, username } = actor;
  await tx`select from users where id = ${user_id} for no key update`;
  const [passkey] = await tx<Array<{ name: string }>>`
    select name from passkeys where id = ${id} and user_id = ${user_id}`;
  if (!passkey) throw new Refused('passkey_unknown');
  const ways = await factorsOf(tx, user_id);
  assertAllowed(whyNotLoseWay(ways));
  await tx`delete from passkeys where id = ${id}`;
  if (ways.passkeys === 1) await dropPasskeyStep(tx, user_id);
  const data = { username, name: passkey.name };
  await queueMail(tx, mailing, { template: 'passkey_removed', to: null, user_id, data, now });
  await recordEvent(tx, { name: 'user.edited', user_id, data: { passkey: 'removed' } });
}
