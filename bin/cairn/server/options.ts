import { InvalidArgumentError } from 'commander';
import type { PropertyView } from '#db/hosting/servers/properties/view.ts';
import { sleep_minutes } from '#db/hosting/servers/sleep/rules.ts';
import type { SleepView } from '#db/hosting/servers/sleep/view.ts';
import { flagsOf } from '#db/hosting/servers/startup/rules.ts';
import type { StartupView } from '#db/hosting/servers/startup/view.ts';
import { UserError } from '../../user-error.ts';
import { positive } from '../print.ts';
import { flag, json, op_id, otherwise, parsed, required, server_id, text, usually } from './parameters.ts';
import { type Row, row } from './row.ts';

/** The values of `server.properties`. */
export const propertyRows: Row[] = [
  row('properties list', 'Prints all keys with their values.', { server_id, json })
    .asks('properties.show')
    .shows(({ properties }) => properties.map(propertyLine)),
  row('properties get', 'Prints the value of one key.', {
    server_id,
    key: text('<key>', 'such as max-players'),
  })
    .asks('properties.show', ({ server_id }) => ({ server_id }))
    .says(({ properties }, { key }) => {
      const found = properties.find((one) => one.key === key);
      const value = found?.value ?? found?.default ?? null;
      if (value === null) throw new UserError(`There is no key ${key}.`);
      return value;
    }),
  row('properties set', 'Changes values; a running server takes them with its next start.', {
    server_id,
    pairs: text('<values...>', 'key=value, such as max-players=10'),
    json: flag('--json', 'as JSON: all keys afterwards'),
  })
    .asks('properties.change', async ({ server_id, pairs }, plane) => {
      const values = valuesOf(pairs);
      const { etag } = await plane.request('properties.show', { server_id });
      return { server_id, etag, values };
    })
    .shows(({ properties }, { pairs }) => {
      const values = valuesOf(pairs);
      return properties.filter(({ key }) => Object.hasOwn(values, key)).map(propertyLine);
    }),
];

/** How a server is started: Java, memory and flags. */
export const startupRows: Row[] = [
  row('startup show', 'Prints the command line and what may be chosen.', { server_id, json })
    .asks('startup.show')
    .shows('startup', startupLines),
  row('startup set', 'Changes what is given and keeps the rest.', {
    server_id,
    java: parsed('--java <version>', 'Java version, or default', orDefault),
    memory: parsed('--memory <mb>', 'memory of the game in MB, or default', orDefault),
    flags: text('--flags <flags>', 'flags for Java, separated by spaces; "" for none'),
    json,
  })
    .asks('startup.change', async ({ server_id, java, memory, flags }, plane) => {
      const { startup: now } = await plane.request('startup.show', { server_id });
      return {
        server_id,
        java: chosen(java, now.java),
        heap_mb: chosen(memory, now.heap_mb),
        jvm_flags: flags === undefined ? now.jvm_flags : flagsOf(flags),
      };
    })
    .shows('startup', startupLines),
  row('startup reset', 'Restores the defaults.', { server_id, json })
    .asks('startup.change', (message) => ({ ...message, java: null, heap_mb: null, jvm_flags: [] }))
    .shows('startup', startupLines),
];

/** Whether a server stops while nobody plays. */
export const sleepRows: Row[] = [
  row('sleep show', 'Prints when a server sleeps, and what a ping shows then.', { server_id, json })
    .asks('sleep.show')
    .shows('sleep', sleepLines),
  row('sleep set', 'Changes what is given and keeps the rest; switches sleep on unless --off is given.', {
    server_id,
    after: parsed(
      '--after <minutes>',
      `minutes without a player (${sleep_minutes.least} to ${sleep_minutes.most})`,
      positive,
    ),
    shown: text(
      '--text <text>',
      'what a ping shows, up to two lines with \\n between; "" for the usual text',
    ),
    off: flag('--off', 'never sleeps'),
    json,
  })
    .asks('sleep.change', async ({ server_id, after, shown, off }, plane) => {
      const { sleep: now } = await plane.request('sleep.show', { server_id });
      return {
        server_id,
        after_minutes: off ? null : (after ?? now.after_minutes ?? now.minutes_usual),
        motd: shown?.replaceAll('\\n', '\n') ?? now.motd,
      };
    })
    .shows('sleep', sleepLines),
];

const wantedPlan = {
  server_id,
  plan: required(text('--plan <plan>', 'small, medium, large or custom')),
  ram_gb: otherwise(parsed('--ram <gb>', 'memory of a custom plan in GB', positive), null),
  interval: usually(text('--interval <interval>', 'monthly, quarterly or yearly'), 'monthly'),
  json,
};

/** Plan and billing interval of a server that runs. */
export const planRows: Row[] = [
  row('plan preview', 'Prints what a change would cost and when it begins.', wantedPlan)
    .asks('plan.preview')
    .shows((outlook) => [outlook]),
  row('plan set', 'Changes the plan; what is due is charged to the saved card.', { ...wantedPlan, op_id })
    .asks('plan.change')
    .says((answer, { json }) => (json ? JSON.stringify(answer) : answer.state)),
  row('plan keep', 'Takes back a change that waits for the next period.', { server_id })
    .asks('plan.keep')
    .says(() => 'The plan stays.'),
];

const propertyLine = ({ key, value, default: usual, problem, repeated }: PropertyView) => ({
  key,
  value: value ?? `(default) ${usual ?? ''}`,
  note: [problem && `invalid: ${problem}`, repeated && 'several lines, the last one counts']
    .filter(Boolean)
    .join('; '),
});

/** Of texts `key=value`. */
const valuesOf = (pairs: readonly string[]): Record<string, string> => Object.fromEntries(pairs.map(pairOf));

function pairOf(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UserError(`${text} is not key=value.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

const chosen = (given: number | 'default' | undefined, now: number | null): number | null =>
  given === undefined ? now : given === 'default' ? null : given;

function orDefault(text: string): number | 'default' {
  if (text === 'default') return text;
  try {
    return positive(text);
  } catch {
    throw new InvalidArgumentError('It must be a whole number above zero, or default.');
  }
}

function startupLines(view: StartupView) {
  const memory = `${view.heap_mb ?? 'default'} (possible: ${view.heap_least_mb} to ${view.heap_most_mb} MB)`;
  return [
    { name: 'command', value: view.command },
    { name: 'java', value: `${view.java ?? 'default'} (possible: ${view.java_choices.join(', ')})` },
    { name: 'memory', value: memory },
    { name: 'flags', value: view.jvm_flags.join(' ') },
  ];
}

function sleepLines({ after_minutes, motd, supported }: SleepView) {
  const note = 'the agent of its node is too old: it does not sleep before an update';
  return [
    {
      name: 'sleeps',
      value: after_minutes === null ? 'never' : `after ${after_minutes} minutes without a player`,
    },
    { name: 'text', value: motd.replaceAll('\n', ' / ') },
    ...(supported === false ? [{ name: 'note', value: note }] : []),
  ];
}
