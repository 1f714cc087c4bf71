import { InvalidArgumentError } from 'commander';
import { failureChoices, type ScheduleStep, stepPowers } from '#db/hosting/servers/schedules/rules.ts';
import type { Reason, RunView, ScheduleInput, ScheduleView } from '#db/hosting/servers/schedules/view.ts';
import { refusals } from '#db/platform/errors.ts';
import { UserError } from '../../user-error.ts';
import type { ControlClient } from '../control-client.ts';
import { show } from '../print.ts';
import {
  choice,
  either,
  given,
  json,
  negation,
  op_id,
  repeated,
  required,
  server_id,
  text,
} from './parameters.ts';
import { type Row, row } from './row.ts';

const stepHelp =
  'a step, in order: "command TEXT", "power start|stop|restart", backup, update (content), "wait SECONDS"';
const onOne = { server_id, json, named: text('<schedule>', 'ID or name of the schedule') };
/** The fields of a schedule that both commands take. */
const fields = {
  steps: repeated('--step <step>', stepHelp, stepOf),
  timezone: text('--timezone <zone>', 'such as Europe/Berlin (default: the one of this machine)'),
  only_when_empty: either('--only-when-empty', 'run only while nobody plays'),
  only_when_running: either('--only-when-running', 'run only while the server runs'),
  on_failure: choice('--on-failure <choice>', 'after a step that failed', failureChoices),
};

/** What a server does by itself. */
export const scheduleRows: Row[] = [
  row('schedule list', 'Prints the schedules with their next and newest runs.', { server_id, json })
    .asks('schedules.list')
    .shows('schedules', (schedules) => schedules.map(scheduleLine)),
  row('schedule show', 'Prints a schedule in words, with its steps.', onOne)
    .asks('schedules.list', ({ server_id }) => ({ server_id }))
    .shows(({ schedules }, { named }) => scheduleNamed(schedules, named), scheduleLines),
  row('schedule add', 'Adds a schedule; it is on.', {
    server_id,
    json,
    ...fields,
    name: required(text('--name <name>', '1 to 48 characters')),
    cron: required(text('--cron <cron>', 'five fields, such as "0 4 * * *" for every day at 4:00')),
  })
    .asks('schedules.add', ({ server_id, ...named }) => ({
      server_id,
      schedule: { ...fresh(), ...given(named) },
    }))
    .shows('schedule', scheduleLines),
  row('schedule set', 'Changes what is given and keeps the rest; steps are replaced. It gets your rights.', {
    ...onOne,
    ...fields,
    name: text('--name <name>', '1 to 48 characters'),
    cron: text('--cron <cron>', 'five fields'),
    not_only_when_empty: negation('--no-only-when-empty', 'run also while somebody plays'),
    not_only_when_running: negation('--no-only-when-running', 'run also while it is off'),
    enabled: either('--enabled', 'switch it on'),
    not_enabled: negation('--no-enabled', 'switch it off'),
  }).runs(async (plane, { server_id, named, json, ...wanted }) => {
    const { schedules } = await plane.request('schedules.list', { server_id });
    const before = scheduleNamed(schedules, named);
    const changed = given(wanted);
    const target = { server_id, schedule_id: before.id };
    const { schedule } =
      Object.keys(changed).join() === 'enabled'
        ? await plane.request('schedules.switch', { ...target, enabled: wanted.enabled === true })
        : await plane.request('schedules.change', {
            ...{ ...target, revision: before.revision },
            schedule: { ...inputOf(before), ...changed },
          });
    await show(schedule, json, scheduleLines);
  }),
  row('schedule remove', 'Removes a schedule with its history.', { server_id, named: onOne.named }).asks(
    'schedules.remove',
    targetOf,
  ),
  row('schedule run', 'Runs a schedule now, whatever its conditions are; returns when it has begun.', {
    ...onOne,
    op_id,
  })
    .asks('schedules.run', async ({ op_id, ...named }, plane) => ({
      ...(await targetOf(named, plane)),
      op_id,
    }))
    .shows('run', ({ id }) => id),
  row('schedule history', 'Prints the newest 50 runs, newest first.', onOne)
    .asks('schedules.runs', targetOf)
    .shows('runs', (runs) => runs.map(runLine)),
];

/** The one with this ID or name. */
function scheduleNamed(schedules: readonly ScheduleView[], named: string): ScheduleView {
  const one =
    schedules.find(({ id }) => id === named) ??
    schedules.find(({ name }) => name.toLowerCase() === named.toLowerCase());
  if (!one) throw new UserError(`There is no schedule ${named}.`);
  return one;
}

async function targetOf(
  { server_id, named }: { server_id: string; named: string },
  plane: ControlClient,
): Promise<{ server_id: string; schedule_id: string }> {
  const { schedules } = await plane.request('schedules.list', { server_id });
  return { server_id, schedule_id: scheduleNamed(schedules, named).id };
}

const fresh = (): ScheduleInput => ({
  ...{ name: '', cron: '', timezone: Intl.DateTimeFormat().resolvedOptions().timeZone, steps: [] },
  ...{ enabled: true, only_when_empty: false, only_when_running: false, on_failure: 'stop' },
});

function inputOf(schedule: ScheduleView): ScheduleInput {
  const { name, cron, timezone, enabled, only_when_empty, only_when_running, on_failure, steps } = schedule;
  return { name, cron, timezone, enabled, only_when_empty, only_when_running, on_failure, steps };
}

function stepOf(text: string): ScheduleStep {
  const [, kind, rest = ''] = /^\s*(\S+)\s*(.*)$/s.exec(text) ?? [];
  if (kind === 'command') return { kind, text: rest };
  if (kind === 'wait') return { kind, seconds: Number(rest) };
  if ((kind === 'backup' || kind === 'update') && rest === '') return { kind };
  const action = stepPowers.find((one) => one === rest);
  if (kind === 'power' && action) return { kind, action };
  throw new InvalidArgumentError(`It must be ${stepHelp.replace('a step, in order: ', '')}.`);
}

const stepText = (step: ScheduleStep): string => {
  if (step.kind === 'command') return `command ${step.text}`;
  if (step.kind === 'power') return `power ${step.action}`;
  return step.kind === 'wait' ? `wait ${step.seconds}` : step.kind;
};

/** A refusal in words, where its text has no gaps, with its code. */
function reasonText({ code, data }: Reason): string {
  const [, text] = (refusals as Record<string, readonly [number, string]>)[code] ?? [];
  return text ? text.replace(/\{(\w+)\}/g, (_, name: string) => String(data?.[name] ?? '')) : code;
}

const scheduleLine = ({ id, name, cron, timezone, enabled, next_runs, last_run, broken }: ScheduleView) => ({
  ...{ id, name, cron, timezone },
  next: enabled ? (next_runs[0] ?? 'never') : 'off',
  last: last_run?.outcome ?? '',
  note: broken ? reasonText(broken) : '',
});

const runLine = ({ last_due, began, trigger, outcome, count, reason, steps }: RunView) => ({
  time: trigger === 'hand' ? began : last_due,
  outcome: count > 1 ? `${outcome} ${count} times` : outcome,
  steps: steps.map(({ step, state }) => `${step.kind} ${state}`).join(', '),
  why: reason ? reasonText(reason) : '',
});

async function scheduleLines(view: ScheduleView) {
  const { default: cronstrue } = await import('cronstrue');
  const when = cronstrue.toString(view.cron, { use24HourTimeFormat: true, verbose: true });
  return [
    { name: 'id', value: view.id },
    { name: 'name', value: view.name },
    { name: 'when', value: `${when} (${view.timezone})` },
    { name: 'next', value: view.enabled ? view.next_runs.join(', ') : 'off' },
    ...(view.only_when_empty ? [{ name: 'only', value: 'while nobody plays' }] : []),
    ...(view.only_when_running ? [{ name: 'only', value: 'while the server runs' }] : []),
    ...view.steps.map((step, at) => ({ name: `step ${at + 1}`, value: stepText(step) })),
    { name: 'after a failure', value: view.on_failure },
    ...(view.broken ? [{ name: 'broken', value: reasonText(view.broken) }] : []),
  ];
}
