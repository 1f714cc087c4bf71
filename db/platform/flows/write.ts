import { randomText } from '../id.ts';
import type { Db } from '../postgres/sql.ts';
import { hashToken } from '../secrets/hash.ts';

const minute_ms = 60_000;

/**
 * What spans more than one request, by kind: how long its secret is valid, and how many wrong answers it takes before it
 * ends. Source: api-v3 §3.11, §4.
 */
export const flowKinds = {
  /** A password was right; the second step is missing. */
  second_step: { valid_ms: 30 * minute_ms, answers: 10 },
  /** An authenticator app is being set up. */
  totp_setup: { valid_ms: 30 * minute_ms, answers: 10 },
  /** New backup codes are shown once. */
  backup_codes: { valid_ms: 10 * minute_ms, answers: 1 },
  passkey_register: { valid_ms: 10 * minute_ms, answers: 1 },
  passkey_sign_in: { valid_ms: 10 * minute_ms, answers: 1 },
  /** Somebody was sent to a sign-in provider. */
  provider: { valid_ms: 30 * minute_ms, answers: 1 },
  /** A provider named somebody without an account here. */
  provider_account: { valid_ms: 10 * minute_ms, answers: 20 },
  reset_password: { valid_ms: 24 * 60 * minute_ms, answers: 1 },
  verify_email: { valid_ms: 24 * 60 * minute_ms, answers: 1 },
  newsletter: { valid_ms: 7 * 24 * 60 * minute_ms, answers: 1 },
  /** An app asks for access, and the user has not decided yet. */
  oauth_request: { valid_ms: 30 * minute_ms, answers: 1 },
  oauth_code: { valid_ms: 10 * minute_ms, answers: 1 },
} as const satisfies Record<string, { valid_ms: number; answers: number }>;
export type FlowKind = keyof typeof flowKinds;

export interface Flow {
  user_id: string | null;
  data: Record<string, unknown>;
  created: string;
}

/** Opens a flow and gives its secret, which is available only now. */
export async function openFlow(
  db: Db,
  kind: FlowKind,
  { user_id = null, data = {}, now }: { user_id?: string | null; data?: Record<string, unknown>; now: Date },
): Promise<string> {
  const secret = randomText(48);
  const expires = new Date(now.getTime() + flowKinds[kind].valid_ms);
  const row = {
    secret_hash: hashToken(secret),
    kind,
    user_id,
    data: db.json(data as never),
    created: now,
    expires,
  };
  await db`insert into flows ${db(row)}`;
  return secret;
}

/** The flow of this secret, which stays open; null when it is unknown, of another kind, used or expired. */
export async function readFlow(db: Db, kind: FlowKind, secret: string, now: Date): Promise<Flow | null> {
  const [flow] = await db<Flow[]>`
    select user_id, data, created from flows
    where secret_hash = ${hashToken(secret)} and kind = ${kind} and expires > ${now}`;
  return flow ?? null;
}

/** `readFlow`, and ends it: of simultaneous callers one gets it. */
export async function takeFlow(db: Db, kind: FlowKind, secret: string, now: Date): Promise<Flow | null> {
  const [flow] = await db<Array<Flow & { is_open: boolean }>>`
    delete from flows where secret_hash = ${hashToken(secret)} and kind = ${kind}
    returning user_id, data, created, expires > ${now} as is_open`;
  if (!flow?.is_open) return null;
  const { is_open: _, ...taken } = flow;
  return taken;
}

/**
 * Counts a wrong answer to a flow, and ends it after as many as its kind takes. Commit this even when the request is
 * refused: call it outside the transaction that the refusal undoes.
 */
export async function failFlow(db: Db, kind: FlowKind, secret: string): Promise<void> {
  const hash = hashToken(secret);
  const [flow] = await db<Array<{ failures: number }>>`
    update flows set failures = failures + 1 where secret_hash = ${hash} and kind = ${kind} returning failures`;
  if (flow && flow.failures >= flowKinds[kind].answers)
    await db`delete from flows where secret_hash = ${hash}`;
}

/** Ends a flow; ignores unknown ones. */
export async function endFlow(db: Db, kind: FlowKind, secret: string): Promise<void> {
  await db`delete from flows where secret_hash = ${hashToken(secret)} and kind = ${kind}`;
}

/** Ends the open flows of a user of these kinds: after a new password, links that were mailed before lead nowhere. */
export async function endFlowsOf(db: Db, user_id: string, kinds: readonly FlowKind[]): Promise<void> {
  await db`delete from flows where user_id = ${user_id} and kind = any(${kinds as string[]})`;
}

/** Deletes expired flows. Gives how many. */
export async function deleteExpiredFlows(db: Db, now: Date): Promise<number> {
  return (await db`delete from flows where expires <= ${now}`).count;
}
