import { InvalidArgumentError } from 'commander';
import { alertKinds, defaultRules } from '#db/hosting/server-alerts/rules.ts';
import type { AlertsView } from '#db/hosting/server-alerts/view.ts';
import { UserError } from '../../user-error.ts';
import { positive } from '../print.ts';
import { choice, fixed, flag, json, parsed, server_id, text, usually } from './parameters.ts';
import { type Row, row } from './row.ts';

/** Rules, quiet hours, webhooks and history of the alerts of a server. */
export const alertRows: Row[] = [
  row('alerts show', 'Prints rules, quiet hours and webhooks.', { server_id, json })
    .asks('alerts.show')
    .lists('alerts', alertLines),
  row('alerts history', 'Prints the alerts there were, the newest first.', { server_id, json })
    .asks('alerts.show')
    .shows(
      ({ alerts }) => alerts.history,
      (history) => history.map(({ id: _, ...line }) => ({ ...line, ended: line.ended ?? 'ongoing' })),
    ),
  row('alerts set', 'Changes one rule and keeps what is not given.', {
    server_id,
    kind: choice('<kind>', 'the rule', alertKinds),
    on: flag('--on', 'turns it on'),
    off: flag('--off', 'turns it off'),
    over: parsed(
      '--over <bound>',
      'per cent of what the server may use, or milliseconds of a tick',
      positive,
    ),
    minutes: parsed('--for <minutes>', 'minutes that it must be so', positive),
    json,
  })
    .asks('alerts.change', async ({ server_id, kind, on, off, over, minutes }, plane) => {
      const { alerts: now } = await plane.request('alerts.show', { server_id });
      if (on && off) throw new UserError('Give --on or --off, not both.');
      if (over !== undefined && defaultRules[kind].over === null)
        throw new UserError(`The rule ${kind} has no bound.`);
      if (minutes !== undefined && defaultRules[kind].minutes === null)
        throw new UserError(`The rule ${kind} has no minutes.`);
      const before = now.rules[kind];
      const rule = {
        enabled: on || (!off && before.enabled),
        over: over ?? before.over,
        minutes: minutes ?? before.minutes,
      };
      return { server_id, rules: { ...now.rules, [kind]: rule }, quiet: now.quiet };
    })
    .lists('alerts', alertLines),
  row(
    'alerts quiet',
    'Sets the hours in which mails wait, such as 22:00-07:00 with --zone Europe/Berlin, or off.',
    {
      server_id,
      hours: parsed('<hours>', 'from-until, or off', hoursOf),
      zone: usually(text('--zone <zone>', 'time zone'), 'UTC'),
      json,
    },
  )
    .asks('alerts.change', async ({ server_id, hours, zone }, plane) => {
      const { rules } = (await plane.request('alerts.show', { server_id })).alerts;
      return { server_id, rules, quiet: hours === 'off' ? null : { ...hours, zone } };
    })
    .lists('alerts', alertLines),
  row('alerts test', 'Sends a test to every channel.', { server_id })
    .asks('alerts.test')
    .says(() => 'sent'),
  row('alerts webhook-add', 'Adds a webhook, and prints its secret, which is never shown again.', {
    server_id,
    name: text('<name>', '1 to 64 characters'),
    address: text('<address>', 'a public address with https'),
  })
    .asks('alerts.webhook_add')
    .says(({ secret }) => secret),
  row('alerts webhook-remove', 'Removes a webhook.', {
    server_id,
    webhook_id: text('<webhook>', 'ID of the webhook'),
    to: fixed('removed'),
  })
    .asks('alerts.webhook_change')
    .says(() => 'removed'),
];

type Hours = 'off' | { from: number; until: number };

function hoursOf(text: string): Hours {
  if (text === 'off') return text;
  const found = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/.exec(text);
  if (!found) throw new InvalidArgumentError('It must be like 22:00-07:00, or off.');
  const [from_h, from_m, until_h, until_m] = found.slice(1).map(Number) as [number, number, number, number];
  return { from: from_h * 60 + from_m, until: until_h * 60 + until_m };
}

const timeOf = (minute: number): string => new Date(minute * 60_000).toISOString().slice(11, 16);

function alertLines({ rules, quiet, webhooks }: AlertsView) {
  const hours = quiet ? `${timeOf(quiet.from)}-${timeOf(quiet.until)} ${quiet.zone}` : 'none';
  return [
    alertKinds.map((kind) => {
      const { enabled, over, minutes } = rules[kind];
      return { rule: kind, is: enabled ? 'on' : 'off', over: over ?? '', minutes: minutes ?? '' };
    }),
    `quiet hours: ${hours}`,
    ...webhooks.map(
      ({ id, name, host, enabled, last }) =>
        `webhook ${id}: ${name}, ${host}, ${enabled ? 'on' : 'off'}, last call: ${last ?? 'none'}`,
    ),
  ];
}
