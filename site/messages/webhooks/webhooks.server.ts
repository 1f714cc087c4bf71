import { type Delivery, deliveriesOf, type Webhook, webhooksOf } from '#db/messages/webhooks/read.ts';
import type { WebhookOwner } from '#db/messages/webhooks/write.ts';
import { type FormState, formState } from '../../platform/forms/form-state.ts';
import { takeShownOnce } from '../../platform/http/shown-once.ts';
import {
  createWebhookForm,
  deleteWebhookForm,
  editWebhookForm,
  resendDeliveryForm,
  rotateWebhookForm,
  testWebhookForm,
} from './webhook-forms.server.ts';

/** What the page of an owner's webhooks shows. */
export interface WebhooksPage {
  webhooks: Webhook[];
  /** The one that the address names, with its log; null for the list. */
  chosen: { webhook: Webhook; deliveries: Delivery[]; secret: string | null } | null;
  /** Sent along by all its forms: whose webhooks they are. */
  owner: Record<string, string>;
  forms: Record<'create' | 'edit' | 'test' | 'resend' | 'rotate' | 'remove', FormState>;
}

/** Loads an owner's webhooks, after the page has asked who may see them. The address of one that was deleted leads to the list. */
export async function loadWebhooks(
  page: Parameters<typeof takeShownOnce>[0] & Parameters<typeof formState>[0] & { locals: App.Locals },
  owning: Exclude<WebhookOwner, { server_id: string }>,
  user_id: string,
): Promise<WebhooksPage> {
  const { sql } = page.locals.services;
  const webhooks = await webhooksOf(sql, owning);
  const owner: Record<string, string> =
    owning.project_id !== null ? { project: owning.project_id } : { organization: owning.organization_id };
  const forms = {
    create: formState(page, createWebhookForm),
    edit: formState(page, editWebhookForm),
    test: formState(page, testWebhookForm),
    resend: formState(page, resendDeliveryForm),
    rotate: formState(page, rotateWebhookForm),
    remove: formState(page, deleteWebhookForm),
  };
  const named = page.url.searchParams.get('webhook');
  const webhook = webhooks.find(({ id }) => id === named);
  if (!webhook) return { webhooks, chosen: null, owner, forms };
  const shown = takeShownOnce(page, user_id);
  // nothing is signed for the others
  const isSigned = webhook.format === 'standard';
  const secret = isSigned && shown?.id === webhook.id ? shown.secret : null;
  return {
    webhooks,
    chosen: { webhook, deliveries: await deliveriesOf(sql, webhook.id), secret },
    owner,
    forms,
  };
}
