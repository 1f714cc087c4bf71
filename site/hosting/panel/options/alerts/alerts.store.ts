import { atom } from 'nanostores';
import { type AlertKind, alertKinds, type QuietHours, whyNotRule } from '#db/hosting/server-alerts/rules.ts';
import type { AlertsView } from '#db/hosting/server-alerts/view.ts';
import { isTimeZone } from '#db/platform/time-zone.ts';
import type { ApiError } from '../../../../platform/browser/api-client.ts';
import { mutate } from '../../../../platform/browser/mutate.ts';
import { panelForm } from '../../core/form.ts';
import { requestFromPanel } from '../../core/open-panel.ts';
import { panelResource } from '../../core/resource.ts';

/** The alerts of the server of the open panel, and what was chosen and not saved yet. */

/** What the form holds: text as it was typed. */
export interface Draft {
  rules: Record<AlertKind, { enabled: boolean; over: string; minutes: string }>;
  quiet: { enabled: boolean; from: string; until: string; zone: string };
}
/** Why a webhook could not be changed. */
export const $webhookRefused = atom<ApiError | null>(null);
/** Whether a test was the last thing that was done. */
export const $tested = atom(false);
/** The secret of the webhook that was added last. */
export const $secret = atom<{ name: string; secret: string } | null>(null);

const timeOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
const minuteOf = (time: string): number | null => {
  const found = /^(\d\d):(\d\d)/.exec(time);
  return found ? Number(found[1]) * 60 + Number(found[2]) : null;
};

export function draftOf({ rules, quiet }: AlertsView): Draft {
  const text = (value: number | null) => (value === null ? '' : String(value));
  return {
    rules: Object.fromEntries(
      alertKinds.map((kind) => {
        const { enabled, over, minutes } = rules[kind];
        return [kind, { enabled, over: text(over), minutes: text(minutes) }];
      }),
    ) as Draft['rules'],
    quiet: {
      enabled: quiet !== null,
      from: timeOf(quiet?.from ?? 22 * 60),
      until: timeOf(quiet?.until ?? 7 * 60),
      zone: quiet?.zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    },
  };
}

const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));

/** What is wrong with a rule as it was typed, or null. */
export const wrongIn = ({ rules }: Draft, kind: AlertKind) => {
  const { enabled, over, minutes } = rules[kind];
  return whyNotRule(kind, { enabled, over: numberOf(over), minutes: numberOf(minutes) });
};

export const isZoneWrong = ({ quiet }: Draft): boolean => quiet.enabled && !isTimeZone(quiet.zone);

const quietOf = ({ quiet }: Draft): QuietHours | null => {
  const [from, until] = [minuteOf(quiet.from), minuteOf(quiet.until)];
  return quiet.enabled && from !== null && until !== null ? { from, until, zone: quiet.zone } : null;
};

const read = ({ alerts }: { alerts: AlertsView }): AlertsView => alerts;

export const { $data: $alerts, $problem, load: loadAlerts } = panelResource({ event: 'alerts.show', read });
export const alertsForm = panelForm({ $data: $alerts, draftOf, event: 'alerts.change', read });

export function editAlerts(part: Partial<Draft>): void {
  $tested.set(false);
  alertsForm.edit(part);
}

export async function saveAlerts(draft: Draft): Promise<void> {
  $tested.set(false);
  const rules = Object.fromEntries(
    alertKinds.map((kind) => {
      const { enabled, over, minutes } = draft.rules[kind];
      return [kind, { enabled, over: numberOf(over), minutes: numberOf(minutes) }];
    }),
  ) as AlertsView['rules'];
  await alertsForm.save({ rules, quiet: quietOf(draft) });
}

export async function sendTest(): Promise<void> {
  alertsForm.$saved.set(false);
  $tested.set(false);
  await mutate({
    send: () => requestFromPanel('alerts.test', {}),
    refresh: () => $tested.set(true),
  });
  await loadAlerts();
}

const refuseWebhook = (error: ApiError): boolean => {
  $webhookRefused.set(error);
  return true;
};

/** Adds a webhook. Gives whether it was added. */
export async function addWebhook(name: string, address: string): Promise<boolean> {
  $webhookRefused.set(null);
  const { ok } = await mutate({
    send: () => requestFromPanel('alerts.webhook_add', { name, address }),
    refresh: ({ alerts, secret }) => {
      $alerts.set(alerts);
      $secret.set({ name, secret });
    },
    refused: refuseWebhook,
  });
  return ok;
}

export async function changeWebhook(webhook_id: string, to: 'on' | 'off' | 'removed'): Promise<void> {
  $webhookRefused.set(null);
  await mutate({
    send: () => requestFromPanel('alerts.webhook_change', { webhook_id, to }),
    repeatable: true,
    refresh: ({ alerts }) => $alerts.set(alerts),
    refused: refuseWebhook,
  });
}
