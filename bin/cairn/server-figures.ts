import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  type AlertKind,
  alertKinds,
  defaultRules,
  type QuietHours,
} from '#db/hosting/server-alerts/rules.ts';
import type { AlertsView } from '#db/hosting/server-alerts/view.ts';
import {
  type FigureRange,
  figureNames,
  figureRangeIds,
  joinFigures,
} from '#db/hosting/servers/figures/rules.ts';
import type { FiguresView } from '#db/hosting/servers/figures/view.ts';
import { UserError } from '../user-error.ts';
import type { Asking } from './asking.ts';
import { positive, print } from './print.ts';

/** Points that one line of the table joins: an hour, a quarter of a day, a day. */
const joined: Record<FigureRange, number> = { day: 60, week: 36, month: 24 };

/** `server figures`: what a server used over time. */
export function figuresCommand(server: Command, asking: Asking): void {
  server
    .command('figures')
    .description('Prints what a server used: CPU, memory, disk, network, players and tick time.')
    .argument('<id>', 'ID of the server')
    .addOption(new Option('--range <range>', 'how far back').choices([...figureRangeIds]).default('day'))
    .option('--json', 'as JSON: every point; null is a gap')
    .action(
      asking(async (plane, id: string, { range, json }: { range: FigureRange; json?: boolean }) => {
        const { figures } = await plane.request('figures.show', { server_id: id, range });
        if (json) console.log(JSON.stringify(figures, null, 2));
        else print(linesOf(figures, joined[range]));
      }),
    );
}

/** Lines with at least one value, the oldest first; times in UTC. */
function linesOf({ from, step_s, series }: FiguresView, size: number): object[] {
  const lines: object[] = [];
  const text = (value: number | null) => (value === null ? '' : String(Math.round(value * 10) / 10));
  for (let at = 0; at < series.cpu.length; at += size) {
    const points = series.cpu.slice(at, at + size).map((_, place) => {
      const point = figureNames.map((name) => [name, series[name][at + place] ?? null]);
      return Object.fromEntries(point) as Parameters<typeof joinFigures>[0][number];
    });
    const mean = joinFigures(points);
    if (mean.cpu === null) continue;
    const time = new Date(Date.parse(from) + at * step_s * 1_000).toISOString().slice(0, 16);
    lines.push({ time, ...Object.fromEntries(figureNames.map((name) => [name, text(mean[name])])) });
  }
  return lines;
}

/** `server alerts`: rules, quiet hours, webhooks and history of the alerts of a server. */
export function alertsCommands(server: Command, asking: Asking): void {
  const alerts = server.command('alerts').description('Shows and changes the alerts of a server.');
  const verb = (name: string, description: string) =>
    alerts.command(name).description(description).argument('<id>', 'ID of the server');
  verb('show', 'Prints rules, quiet hours and webhooks.')
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, id: string, { json }: { json?: boolean }) =>
        printRules((await plane.request('alerts.show', { server_id: id })).alerts, json),
      ),
    );
  verb('history', 'Prints the alerts there were, the newest first.')
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, id: string, { json }: { json?: boolean }) => {
        const { history } = (await plane.request('alerts.show', { server_id: id })).alerts;
        print(
          json ? history : history.map(({ id: _, ...line }) => ({ ...line, ended: line.ended ?? 'ongoing' })),
          json,
        );
      }),
    );
  verb('set', 'Changes one rule and keeps what is not given.')
    .addArgument(alerts.createArgument('<kind>', 'the rule').choices([...alertKinds]))
    .option('--on', 'turns it on')
    .option('--off', 'turns it off')
    .option('--over <bound>', 'per cent of what the server may use, or milliseconds of a tick', positive)
    .option('--for <minutes>', 'minutes that it must be so', positive)
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, id: string, kind: AlertKind, given: RuleOptions) => {
        const { alerts: now } = await plane.request('alerts.show', { server_id: id });
        if (given.on && given.off) throw new UserError('Give --on or --off, not both.');
        if (given.over !== undefined && defaultRules[kind].over === null)
          throw new UserError(`The rule ${kind} has no bound.`);
        if (given.for !== undefined && defaultRules[kind].minutes === null)
          throw new UserError(`The rule ${kind} has no minutes.`);
        const before = now.rules[kind];
        const rule = {
          enabled: given.on ? true : given.off ? false : before.enabled,
          over: given.over ?? before.over,
          minutes: given.for ?? before.minutes,
        };
        const message = { server_id: id, rules: { ...now.rules, [kind]: rule }, quiet: now.quiet };
        printRules((await plane.request('alerts.change', message)).alerts, given.json);
      }),
    );
  verb('quiet', 'Sets the hours in which mails wait, such as 22:00-07:00 with --zone Europe/Berlin, or off.')
    .argument('<hours>', 'from-until, or off', hoursOf)
    .option('--zone <zone>', 'time zone', 'UTC')
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, id: string, hours: Hours, { zone, json }: { zone: string; json?: boolean }) => {
        const { alerts: now } = await plane.request('alerts.show', { server_id: id });
        const quiet: QuietHours | null = hours === 'off' ? null : { ...hours, zone };
        printRules(
          (await plane.request('alerts.change', { server_id: id, rules: now.rules, quiet })).alerts,
          json,
        );
      }),
    );
  verb('test', 'Sends a test to every channel.').action(
    asking(async (plane, id: string) => {
      await plane.request('alerts.test', { server_id: id });
      console.log('sent');
    }),
  );
  verb('webhook-add', 'Adds a webhook, and prints its secret, which is never shown again.')
    .argument('<name>', '1 to 64 characters')
    .argument('<address>', 'a public address with https')
    .action(
      asking(async (plane, id: string, name: string, address: string) =>
        console.log((await plane.request('alerts.webhook_add', { server_id: id, name, address })).secret),
      ),
    );
  verb('webhook-remove', 'Removes a webhook.')
    .argument('<webhook>', 'ID of the webhook')
    .action(
      asking(async (plane, id: string, webhook_id: string) => {
        await plane.request('alerts.webhook_change', { server_id: id, webhook_id, to: 'removed' });
        console.log('removed');
      }),
    );
}

interface RuleOptions {
  on?: boolean;
  off?: boolean;
  over?: number;
  for?: number;
  json?: boolean;
}

type Hours = 'off' | { from: number; until: number };

function hoursOf(text: string): Hours {
  if (text === 'off') return text;
  const found = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/.exec(text);
  if (!found) throw new InvalidArgumentError('It must be like 22:00-07:00, or off.');
  const [from_h, from_m, until_h, until_m] = found.slice(1).map(Number) as [number, number, number, number];
  return { from: from_h * 60 + from_m, until: until_h * 60 + until_m };
}

const timeOf = (minute: number): string => new Date(minute * 60_000).toISOString().slice(11, 16);

function printRules(view: AlertsView, json = false): void {
  if (json) {
    console.log(JSON.stringify(view, null, 2));
    return;
  }
  print(
    alertKinds.map((kind) => {
      const { enabled, over, minutes } = view.rules[kind];
      return { rule: kind, is: enabled ? 'on' : 'off', over: over ?? '', minutes: minutes ?? '' };
    }),
  );
  const { quiet } = view;
  console.log(
    `quiet hours: ${quiet ? `${timeOf(quiet.from)}-${timeOf(quiet.until)} ${quiet.zone}` : 'none'}`,
  );
  for (const { id, name, host, enabled, last } of view.webhooks)
    console.log(`webhook ${id}: ${name}, ${host}, ${enabled ? 'on' : 'off'}, last call: ${last ?? 'none'}`);
}
