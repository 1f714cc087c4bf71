import { z } from 'zod';
import { defineForm } from '../../forms/form-definition.ts';

/** The forms about a game server: ordering it, its subscription, taking its files along. */

const text = z.string().max(200);
const failed = { text: 'buying.order_failed' } as const;
const version = { field: 'game_version', text: 'buying.version_unknown' } as const;

export const orderForm = defineForm({
  action: '/_internal/billing/order',
  shape: z.object({
    op_id: z.uuid(),
    plan: text,
    gb: z.coerce.number().int().optional(),
    interval: text,
    region: text,
    currency: text,
    card: text.optional(),
    name: text,
    game_version: text.optional(),
    loader: text.optional(),
    terms: text.optional(),
  }),
  fields: ['name', 'game_version', 'loader', 'terms'],
  errors: {
    terms_required: 'terms',
    server_name_length: 'name',
    server_version_unknown: version,
    server_loader_unknown: { field: 'loader', text: 'buying.version_unknown' },
    plan_unknown: failed,
    plan_ram: failed,
    region_unknown: failed,
    payment_declined: { text: 'buying.declined' },
    out_of_stock: { text: 'buying.gone' },
  },
});

const server = z.object({ server_id: text });

export const cancelForm = defineForm({
  action: '/_internal/billing/cancel',
  shape: server,
  fields: [],
  errors: {},
});

export const resubscribeForm = defineForm({
  action: '/_internal/billing/resubscribe',
  shape: server.extend({ interval: text.optional(), card: text.optional() }),
  fields: ['card', 'interval'],
  errors: {
    payment_declined: { field: 'card', text: 'buying.declined' },
    card_unknown: 'card',
    card_expired: 'card',
    card_required: 'card',
    interval_unknown: 'interval',
    out_of_stock: { text: 'buying.gone' },
  },
});

export const archiveForm = defineForm({
  action: '/_internal/servers/parcel',
  shape: z.object({ server_id: text.regex(/^[0-9A-Za-z]{1,11}$/) }),
  fields: [],
  errors: {},
});
