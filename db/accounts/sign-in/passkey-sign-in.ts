import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  type PublicKeyCredentialRequestOptionsJSON,
  verifyAuthenticationResponse,
} from '@simplewebauthn/server';
import { Refused } from '../../platform/errors.ts';
import { openFlow, takeFlow } from '../../platform/flows/write.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { Settings } from '../../platform/runtime/env.ts';
import { relyingParty } from './relying-party.ts';

/** Signing in with a passkey, alone or after a password. Source: api-v3 §4 (passkey/start, passkey/finish). */

/**
 * What a browser asks for a passkey with, and the flow that it belongs to. With `user_id` only passkeys of that user
 * answer; without, the passkey says whose it is. Refuses `passkeys_unavailable`.
 */
export async function askForPasskey(
  db: Db,
  { settings }: { settings: Settings },
  { user_id = null, now }: { user_id?: string | null; now: Date },
): Promise<{ options: PublicKeyCredentialRequestOptionsJSON; flow: string }> {
  const { id: rpID } = relyingParty(settings);
  const known =
    user_id === null
      ? []
      : await db<Array<{ id: string; transports: string[] }>>`
          select credential_id as id, transports from passkeys where user_id = ${user_id}`;
  const options = await generateAuthenticationOptions({
    rpID,
    userVerification: 'required',
    ...(known.length > 0 && { allowCredentials: known as never }),
  });
  const data = { challenge: options.challenge };
  return { options, flow: await openFlow(db, 'passkey_sign_in', { user_id, data, now }) };
}

interface Row {
  id: string;
  user_id: string;
  credential_id: string;
  public_key: Buffer;
  counter: number;
}

/**
 * The user whose passkey answered `flow`, which ends. Call it outside a transaction that a refusal undoes. A counter that
 * did not go on means a copied key: refused. Refuses `flow_invalid`, `passkey_refused`, `passkeys_unavailable`.
 */
export async function userOfPasskey(
  db: Db,
  { settings }: { settings: Settings },
  { flow, credential, now }: { flow: string; credential: AuthenticationResponseJSON; now: Date },
): Promise<string> {
  const open = await takeFlow(db, 'passkey_sign_in', flow, now);
  if (!open) throw new Refused('flow_invalid');
  const { id: expectedRPID, origins } = relyingParty(settings);
  const [row] = await db<Row[]>`
    select id, user_id, credential_id, public_key, counter from passkeys where credential_id = ${credential.id}`;
  if (!row || (open.user_id !== null && open.user_id !== row.user_id)) throw new Refused('passkey_refused');
  const answer = await verifyAuthenticationResponse({
    ...{ response: credential, expectedChallenge: String(open.data.challenge), expectedRPID },
    expectedOrigin: origins,
    credential: { id: row.credential_id, publicKey: new Uint8Array(row.public_key), counter: row.counter },
    requireUserVerification: true,
  }).catch(() => null); // forged, cut off or for another site: all the same
  if (!answer?.verified) throw new Refused('passkey_refused');
  const { newCounter, credentialBackedUp } = answer.authenticationInfo;
  const { count } = await db`
    update passkeys set counter = ${newCounter}, backed_up = ${credentialBackedUp}, last_used = ${now}
    where id = ${row.id} and (counter < ${newCounter} or (counter = 0 and ${newCounter} = 0))`;
  if (count === 0) throw new Refused('passkey_refused');
  return row.user_id;
}
