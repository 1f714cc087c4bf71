import { randomBytes } from 'node:crypto';
import { assertAllowed, Refused } from '../../platform/errors.ts';
import { newId } from '../../platform/id.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { Sealer } from '../../platform/secrets/seal.ts';
import { removeGroup } from '../notifications/change.ts';
import {
  isDiscordAddress,
  type ServerWebhookEvent,
  type WebhookEvent,
  type WebhookFormat,
  webhookGroup,
  webhookLimits,
  whyNotAddress,
  whyNotAnother,
} from './rules.ts';

/** Whose webhook it is: a project's, an organization's or a game server's. */
export type WebhookOwner =
  | { project_id: string; organization_id: null; server_id?: null }
  | { project_id: null; organization_id: string; server_id?: null }
  | { project_id: null; organization_id: null; server_id: string };

/** What somebody says of a webhook. */
export interface WebhookInput {
  name: string;
  address: string;
  format: WebhookFormat;
  events: (WebhookEvent | ServerWebhookEvent)[];
}

/** What address and secret of a webhook are sealed for. */
export const webhookPurpose = (id: string, part: 'address' | 'secret'): string => `webhook:${id}:${part}`;

const newSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`;

/** The columns that an address determines; Discord's addresses take Discord's form only. */
function addressColumns(sealer: Sealer, id: string, address: string, format: WebhookFormat) {
  assertAllowed(whyNotAddress(address));
  const url = new URL(address);
  return {
    address: sealer.seal(url.href, webhookPurpose(id, 'address')),
    host: url.host,
    format: isDiscordAddress(url) ? ('discord' as const) : format,
  };
}

function checkedEvents(events: WebhookInput['events']): WebhookInput['events'] {
  if (events.length === 0) throw new Refused('webhook_no_events');
  return events;
}

/**
 * Locks whose webhook it is, and refuses who may not change it: `not_found` where it looks absent. Projects, organizations and
 * servers are above messages, so `db/hosting/webhook-owners.ts` gives it.
 */
export type LockOwner = (tx: Db, actor: Actor, owner: WebhookOwner) => Promise<void>;

/** Everything that changes webhooks, for owners that `lockOwner` locks. */
export function webhookWrites(lockOwner: LockOwner) {
  /** Locks a webhook for somebody who may change it. Refuses `webhook_unknown` and what `lockOwner` refuses. */
  async function lockWebhook(tx: Db, actor: Actor, id: string): Promise<{ secret: string }> {
    const [row] = await tx<Array<WebhookOwner & { secret: string }>>`
      select project_id, organization_id, server_id, secret from webhooks where id = ${id} for update`;
    if (!row) throw new Refused('webhook_unknown');
    await lockOwner(tx, actor, row).catch((error: unknown) => {
      // the webhook of a hidden project looks absent with it
      throw error instanceof Refused && error.code === 'not_found' ? new Refused('webhook_unknown') : error;
    });
    return row;
  }

  /**
   * Makes a webhook and gives its secret, which is never shown again. Refuses `webhook_limit`, `webhook_address`,
   * `webhook_no_events` and what `lockOwner` refuses.
   */
  async function createWebhook(
    tx: Db,
    sealer: Sealer,
    { actor, owner, now }: { actor: Actor; owner: WebhookOwner; now: Date },
    { name, address, format, events }: WebhookInput,
  ): Promise<{ id: string; secret: string }> {
    await lockOwner(tx, actor, owner);
    const [{ count }] = await tx<[{ count: number }]>`
      select count(*)::int as count from webhooks
      where project_id is not distinct from ${owner.project_id}
        and organization_id is not distinct from ${owner.organization_id}
        and server_id is not distinct from ${owner.server_id ?? null}`;
    assertAllowed(whyNotAnother(count), { limit: webhookLimits.webhooks });
    const id = newId();
    const secret = newSecret();
    const row = {
      ...{ id, name, ...owner, ...addressColumns(sealer, id, address, format) },
      events: checkedEvents(events),
      secret: sealer.seal(secret, webhookPurpose(id, 'secret')),
      created_by: actor.user_id,
      created: now,
    };
    await tx`insert into webhooks ${tx(row)}`;
    return { id, secret };
  }

  /**
   * Changes a webhook; an empty address stays. Turned on again, it begins anew. Refuses `webhook_unknown`,
   * `webhook_address`, `webhook_no_events`, `not_a_member`, `permission_missing`.
   */
  async function editWebhook(
    tx: Db,
    sealer: Sealer,
    { actor, id }: { actor: Actor; id: string },
    { name, address, format, events, enabled }: WebhookInput & { enabled: boolean },
  ): Promise<void> {
    await lockWebhook(tx, actor, id);
    const where = address === '' ? {} : addressColumns(sealer, id, address, format);
    const change = { name, events: checkedEvents(events), enabled, gave_up: false, ...where };
    await tx`update webhooks set ${tx(change)} where id = ${id}`;
    if (!enabled)
      await tx`update webhook_deliveries set state = 'failed' where webhook_id = ${id} and state = 'waiting'`;
  }

  /** Turns a webhook on, anew, or off: what waits is given up. Refuses what `lockWebhook` refuses. */
  async function turnWebhook(
    tx: Db,
    { actor, id, enabled }: { actor: Actor; id: string; enabled: boolean },
  ): Promise<void> {
    await lockWebhook(tx, actor, id);
    await tx`update webhooks set enabled = ${enabled}, gave_up = false where id = ${id}`;
    if (!enabled)
      await tx`update webhook_deliveries set state = 'failed' where webhook_id = ${id} and state = 'waiting'`;
  }

  /** Gives a new secret; the one before signs too for a day. Refuses what `lockWebhook` refuses. */
  async function rotateWebhookSecret(
    tx: Db,
    sealer: Sealer,
    { actor, id, now }: { actor: Actor; id: string; now: Date },
  ): Promise<string> {
    const { secret: old_secret } = await lockWebhook(tx, actor, id);
    const secret = newSecret();
    const change = {
      secret: sealer.seal(secret, webhookPurpose(id, 'secret')),
      old_secret,
      old_secret_until: new Date(now.getTime() + webhookLimits.old_secret_hours * 3_600_000),
    };
    await tx`update webhooks set ${tx(change)} where id = ${id}`;
    return secret;
  }

  /** Deletes a webhook with its log and what was said of it. Refuses what `lockWebhook` refuses. */
  async function deleteWebhook(tx: Db, actor: Actor, id: string): Promise<void> {
    await lockWebhook(tx, actor, id);
    const [row] = await tx<Array<{ created_by: string | null }>>`
      delete from webhooks where id = ${id} returning created_by`;
    if (row?.created_by) await removeGroup(tx, row.created_by, webhookGroup(id));
  }

  /** Queues a test, also for a webhook that is off. Refuses what `lockWebhook` refuses. */
  async function testWebhook(
    tx: Db,
    { actor, id, now }: { actor: Actor; id: string; now: Date },
  ): Promise<void> {
    await lockWebhook(tx, actor, id);
    const body = JSON.stringify({ type: 'test', timestamp: now.toISOString(), data: { webhook: { id } } });
    await tx`insert into webhook_deliveries ${tx({ id: newId(), webhook_id: id, type: 'test', body, due: now, created: now })}`;
  }

  /** Sends a call again, with the same id. Refuses `webhook_unknown` and what `lockWebhook` refuses. */
  async function resendDelivery(
    tx: Db,
    { actor, id, delivery, now }: { actor: Actor; id: string; delivery: string; now: Date },
  ): Promise<void> {
    await lockWebhook(tx, actor, id);
    const { count } = await tx`
      update webhook_deliveries set state = 'waiting', attempts = 0, due = ${now}
      where id = ${delivery} and webhook_id = ${id} and state <> 'waiting'`;
    const [there] = await tx`select 1 from webhook_deliveries where id = ${delivery} and webhook_id = ${id}`;
    if (count === 0 && !there) throw new Refused('webhook_unknown');
  }

  return {
    createWebhook,
    editWebhook,
    turnWebhook,
    rotateWebhookSecret,
    deleteWebhook,
    testWebhook,
    resendDelivery,
  };
}
