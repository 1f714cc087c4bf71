import { z } from 'zod';
import {
  createWebhook,
  deleteWebhook,
  editWebhook,
  resendDelivery,
  rotateWebhookSecret,
  testWebhook,
} from '#db/hosting/webhook-owners.ts';
import {
  eventField,
  type WebhookEvent,
  webhookEvents,
  webhookFormats,
  webhookLimits,
} from '#db/messages/webhooks/rules.ts';
import type { WebhookOwner } from '#db/messages/webhooks/write.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { Db } from '#db/platform/postgres/sql.ts';
import { idShape, oneLineText } from '#db/platform/shape.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm, type FormDefinition } from '../../platform/forms/form-definition.ts';
import { shownOnceCookie } from '../../platform/http/shown-once.ts';
import { formRoute, type GivenFields } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';

const box = z.string().max(10).optional();
const eventBoxes = Object.fromEntries(webhookEvents.map((event) => [eventField(event), box]));
const eventsOf = (fields: Record<string, unknown>): WebhookEvent[] =>
  webhookEvents.filter((event) => (fields[eventField(event)] ?? '') !== '');

const owned = { project: idShape.optional(), organization: idShape.optional() };
const said = {
  ...owned,
  name: oneLineText(1, webhookLimits.name),
  address: z.string().trim().max(webhookLimits.address),
  format: z.enum(webhookFormats).default('standard'),
  ...eventBoxes,
};
const common = {
  fields: ['name', 'address', 'format', 'enabled', 'events', ...webhookEvents.map(eventField)],
  errors: { webhook_address: 'address', webhook_no_events: 'events' },
} as const;

export const createWebhookForm = defineForm({
  ...common,
  action: '/_internal/webhooks/create',
  shape: z.object(said),
});
export const editWebhookForm = defineForm({
  ...common,
  action: '/_internal/webhooks/edit',
  shape: z.object({ ...said, id: idShape, enabled: box }),
});
const ofOne = (action: string) =>
  defineForm({ action, shape: z.object({ ...owned, id: idShape }), fields: [], errors: {} });
export const testWebhookForm = ofOne('/_internal/webhooks/test');
export const rotateWebhookForm = ofOne('/_internal/webhooks/secret');
export const deleteWebhookForm = ofOne('/_internal/webhooks/delete');
export const resendDeliveryForm = defineForm({
  action: '/_internal/webhooks/resend',
  shape: z.object({ ...owned, id: idShape, delivery: idShape }),
  fields: [],
  errors: {},
});

const isId = (text: unknown): text is string => idShape.safeParse(text).success;

/** The list of an owner's webhooks, or the page of the one that `webhook` names. */
function pageOf({ project, organization }: GivenFields, webhook: unknown = null): string {
  const owner = isId(project)
    ? `project/${project}`
    : isId(organization)
      ? `organization/${organization}`
      : null;
  if (owner === null) return '/dashboard';
  return `/${owner}/settings/webhooks${isId(webhook) ? `?webhook=${webhook}` : ''}`;
}
const onPage = (given: GivenFields): string => pageOf(given, given.id);

interface OwnerFields {
  project?: string | undefined;
  organization?: string | undefined;
}
/** The fields of a form about one webhook. */
type OneWebhook = OwnerFields & GivenFields & { id: string };

const ownerOf = ({ project, organization }: OwnerFields): WebhookOwner =>
  project === undefined
    ? { project_id: null, organization_id: organization ?? '' }
    : { project_id: project, organization_id: null };

/** The forms of the webhooks of projects and organizations. */
export function webhookFormRoutes(api: Api, services: AppServices): void {
  const { sql, sealer } = services;
  const needs = ['PROJECT_WRITE', 'ORGANIZATION_WRITE'] as const;

  formRoute(api, createWebhookForm, {
    needs,
    page: (given) => pageOf(given, null),
    async run({ actor, fields, now }) {
      const { name, address, format } = fields;
      const input = { name, address, format, events: eventsOf(fields) };
      const { id, secret } = await sql.begin((tx) =>
        createWebhook(tx, sealer, { actor, owner: ownerOf(fields), now }, input),
      );
      return {
        to: pageOf(fields, id),
        cookies: [shownOnceCookie(services, actor.user_id, { id, secret }, now)],
      };
    },
  });

  formRoute(api, editWebhookForm, {
    needs,
    page: onPage,
    async run({ actor, fields }) {
      const { id, name, address, format, enabled = '' } = fields;
      const input = { name, address, format, events: eventsOf(fields), enabled: enabled !== '' };
      await sql.begin((tx) => editWebhook(tx, sealer, { actor, id }, input));
      return { to: `${pageOf(fields, id)}&saved=1` };
    },
  });

  /** The route of a form that puts a delivery into the queue; it leads to the log. */
  const queueRoute = <S extends z.ZodType<OneWebhook>>(
    form: FormDefinition<S>,
    queue: (tx: Db, given: z.output<S> & { actor: Actor; now: Date }) => Promise<unknown>,
  ) =>
    formRoute(api, form, {
      needs,
      page: onPage,
      async run({ actor, fields, now }) {
        await sql.begin((tx) => queue(tx, { ...fields, actor, now }));
        return { to: `${pageOf(fields, fields.id)}&queued=1#log` };
      },
    });
  queueRoute(testWebhookForm, testWebhook);
  queueRoute(resendDeliveryForm, resendDelivery);

  formRoute(api, rotateWebhookForm, {
    needs,
    page: onPage,
    async run({ actor, fields, now }) {
      const { id } = fields;
      const secret = await sql.begin((tx) => rotateWebhookSecret(tx, sealer, { actor, id, now }));
      return {
        to: pageOf(fields, id),
        cookies: [shownOnceCookie(services, actor.user_id, { id, secret }, now)],
      };
    },
  });

  formRoute(api, deleteWebhookForm, {
    needs,
    page: onPage,
    async run({ actor, fields }) {
      await sql.begin((tx) => deleteWebhook(tx, actor, fields.id));
      return { to: `${pageOf(fields)}?removed=1` };
    },
  });
}
