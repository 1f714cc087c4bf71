import { randomUUID } from 'node:crypto';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { failureChoices, type ScheduleStep, stepPowers } from '#db/hosting/servers/schedules/rules.ts';
import type { Reason, RunView, ScheduleInput, ScheduleView } from '#db/hosting/servers/schedules/view.ts';
import { refusals } from '#db/platform/errors.ts';
import { UserError } from '../user-error.ts';
import type { Asking } from './asking.ts';
import type { ControlClient } from './control-client.ts';
import { print } from './print.ts';

interface Given {
  name?: string;
  cron?: string;
  timezone?: string;
  step?: ScheduleStep[];
  onlyWhenEmpty?: boolean;
  onlyWhenRunning?: boolean;
  onFailure?: ScheduleInput['on_failure'];
  enabled?: boolean;
  json?: boolean;
}

const stepHelp =
  'a step, in order: "command TEXT", "power start|stop|restart", backup, update (content), "wait SECONDS"';

/** `server schedule`: what a server does by itself. */
export function scheduleCommands(server: Command, asking: Asking): void {
  const schedule = server.command('schedule').description('Shows and changes what a server does by itself.');
  const verb = (name: string, description: string) =>
    schedule
      .command(name)
      .description(description)
      .argument('<id>', 'ID of the server')
      .option('--json', 'as JSON');
  const onOne = (name: string, description: string) =>
    verb(name, description).argument('<schedule>', 'ID or name of the schedule');
  const withFields = (command: Command) =>
    command
      .option('--step <step>', stepHelp, (text: string, before: ScheduleStep[] = []) => [
        ...before,
        stepOf(text),
      ])
      .option('--timezone <zone>', 'such as Europe/Berlin (default: the one of this machine)')
      .option('--only-when-empty', 'run only while nobody plays')
      .option('--only-when-running', 'run only while the server runs')
      .addOption(
        new Option('--on-failure <choice>', 'after a step that failed').choices([...failureChoices]),
      );

  verb('list', 'Prints the schedules with their next and newest runs.').action(
    asking(async (plane, server_id: string, { json }: { json?: boolean }) => {
      const { schedules } = await plane.request('schedules.list', { server_id });
      print(json ? schedules : schedules.map(lineOf), json);
    }),
  );
  onOne('show', 'Prints a schedule in words, with its steps.').action(
    asking(async (plane, server_id: string, named: string, { json }: { json?: boolean }) =>
      printSchedule(await found(plane, server_id, named), json),
    ),
  );
  withFields(verb('add', 'Adds a schedule; it is on.'))
    .requiredOption('--name <name>', '1 to 48 characters')
    .requiredOption('--cron <cron>', 'five fields, such as "0 4 * * *" for every day at 4:00')
    .action(
      asking(async (plane, server_id: string, given: Given) => {
        const schedule = { ...fresh(), ...fieldsOf(given) };
        await printSchedule(
          (await plane.request('schedules.add', { server_id, schedule })).schedule,
          given.json,
        );
      }),
    );
  withFields(
    onOne('set', 'Changes what is given and keeps the rest; steps are replaced. It gets your rights.'),
  )
    .option('--name <name>', '1 to 48 characters')
    .option('--cron <cron>', 'five fields')
    .option('--no-only-when-empty', 'run also while somebody plays')
    .option('--no-only-when-running', 'run also while it is off')
    .option('--enabled', 'switch it on')
    .option('--no-enabled', 'switch it off')
    .action(
      asking(async (plane, server_id: string, named: string, given: Given) => {
        const before = await found(plane, server_id, named);
        const fields = fieldsOf(given);
        const target = { server_id, schedule_id: before.id };
        const answer =
          Object.keys(fields).join() === 'enabled'
            ? await plane.request('schedules.switch', { ...target, enabled: fields.enabled! })
            : await plane.request('schedules.change', {
                ...{ ...target, revision: before.revision },
                schedule: { ...inputOf(before), ...fields },
              });
        await printSchedule(answer.schedule, given.json);
      }),
    );
  schedule
    .command('remove')
    .description('Removes a schedule with its history.')
    .argument('<id>', 'ID of the server')
    .argument('<schedule>', 'ID or name of the schedule')
    .action(
      asking(async (plane, server_id: string, named: string) => {
        const { id: schedule_id } = await found(plane, server_id, named);
        await plane.request('schedules.remove', { server_id, schedule_id });
      }),
    );
  onOne('run', 'Runs a schedule now, whatever its conditions are; returns when it has begun.').action(
    asking(async (plane, server_id: string, named: string, { json }: { json?: boolean }) => {
      const { id: schedule_id } = await found(plane, server_id, named);
      const { run } = await plane.request('schedules.run', { server_id, schedule_id, op_id: randomUUID() });
      if (json) console.log(JSON.stringify(run, null, 2));
      else console.log(run.id);
    }),
  );
  onOne('history', 'Prints the newest 50 runs, newest first.').action(
    asking(async (plane, server_id: string, named: string, { json }: { json?: boolean }) => {
      const { id: schedule_id } = await found(plane, server_id, named);
      const { runs } = await plane.request('schedules.runs', { server_id, schedule_id });
      print(json ? runs : runs.map(runLine), json);
    }),
  );
}

async function found(plane: ControlClient, server_id: string, named: string): Promise<ScheduleView> {
  const { schedules } = await plane.request('schedules.list', { server_id });
  const one =
    schedules.find(({ id }) => id === named) ??
    schedules.find(({ name }) => name.toLowerCase() === named.toLowerCase());
  if (!one) throw new UserError(`There is no schedule ${named}.`);
  return one;
}

const fresh = (): ScheduleInput => ({
  ...{
    name: '',
    cron: '',
    enabled: true,
    only_when_empty: false,
    only_when_running: false,
    on_failure: 'stop',
  },
  ...{ timezone: Intl.DateTimeFormat().resolvedOptions().timeZone, steps: [] },
});

function inputOf(schedule: ScheduleView): ScheduleInput {
  const { name, cron, timezone, enabled, only_when_empty, only_when_running, on_failure, steps } = schedule;
  return { name, cron, timezone, enabled, only_when_empty, only_when_running, on_failure, steps };
}

/** The fields that options name. */
function fieldsOf(given: Given): Partial<ScheduleInput> {
  const fields = {
    ...{
      name: given.name,
      cron: given.cron,
      timezone: given.timezone,
      steps: given.step,
      enabled: given.enabled,
    },
    ...{
      only_when_empty: given.onlyWhenEmpty,
      only_when_running: given.onlyWhenRunning,
      on_failure: given.onFailure,
    },
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
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

const lineOf = ({ id, name, cron, timezone, enabled, next_runs, last_run, broken }: ScheduleView) => ({
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

async function printSchedule(view: ScheduleView, json = false): Promise<void> {
  if (json) {
    console.log(JSON.stringify(view, null, 2));
    return;
  }
  const { default: cronstrue } = await import('cronstrue');
  print([
    { name: 'id', value: view.id },
    { name: 'name', value: view.name },
    {
      name: 'when',
      value: `${cronstrue.toString(view.cron, { use24HourTimeFormat: true, verbose: true })} (${view.timezone})`,
    },
    { name: 'next', value: view.enabled ? view.next_runs.join(', ') : 'off' },
    ...(view.only_when_empty ? [{ name: 'only', value: 'while nobody plays' }] : []),
    ...(view.only_when_running ? [{ name: 'only', value: 'while the server runs' }] : []),
    ...view.steps.map((step, at) => ({ name: `step ${at + 1}`, value: stepText(step) })),
    { name: 'after a failure', value: view.on_failure },
    ...(view.broken ? [{ name: 'broken', value: reasonText(view.broken) }] : []),
  ]);
}
