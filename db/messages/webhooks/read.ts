import type { Db } from '../../platform/postgres/sql.ts';
import { type WebhookEvent, type WebhookFormat, webhookLimits } from './rules.ts';
import type { WebhookOwner } from './write.ts';

/** A webhook as its owner's settings show it: without address and secret. */
export interface Webhook {
  id: string;
  name: string;
  host: string;
  format: WebhookFormat;
  events: WebhookEvent[];
  enabled: boolean;
  gave_up: boolean;
  /** How its last call that ended did; null before the first. */
  last: 'sent' | 'failed' | null;
  /** Why that one did not arrive; null when it did. */
  problem: string | null;
}

/** A call as the log shows it. */
export interface Delivery {
  id: string;
  type: string;
  body: string;
  state: 'waiting' | 'sent' | 'failed';
  attempts: number;
  due: string;
  created: string;
  tried: string | null;
  status: number | null;
  answer: string | null;
  problem: string | null;
  took_ms: number | null;
}

/** The webhooks of a project, an organization or a game server, the oldest first. */
export const webhooksOf = (
  db: Db,
  { project_id, organization_id, server_id }: WebhookOwner,
): Promise<Webhook[]> =>
  db<Webhook[]>`
    select id, name, host, format, events, enabled, gave_up, l.state as last, l.problem
    from webhooks w left join lateral (
      select d.state, d.problem from webhook_deliveries d
      where d.webhook_id = w.id and d.state <> 'waiting' order by d.created desc limit 1) l on true
    where project_id is not distinct from ${project_id} and organization_id is not distinct from ${organization_id}
      and server_id is not distinct from ${server_id ?? null}
    order by created, id`;

/** The newest calls of a webhook. */
export const deliveriesOf = (db: Db, webhook_id: string): Promise<Delivery[]> =>
  db<Delivery[]>`
    select id, type, body, state, attempts, due, created, tried, status, answer, problem, took_ms
    from webhook_deliveries where webhook_id = ${webhook_id}
    order by created desc, id limit ${webhookLimits.log}`;
