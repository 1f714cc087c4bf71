import type { RefusalCode } from '../../../platform/errors.ts';
import { hasOddCharacters, oneLine } from '../../../platform/plain-text/rules.ts';
import type { ServerRight } from '../rights/rules.ts';
import { whyNotCommandText } from '../rules.ts';

/** Rules for schedules of servers; `cron.ts` has those for their times. */

/** Most schedules of a server, and most steps of one. */
export const max_schedules = 20;
export const max_steps = 20;
/** Runs of a schedule that are kept. */
export const max_runs = 50;
/** Longest name, in characters. */
const schedule_name_length = 48;
/** Most bytes of all commands of a schedule together: lists and histories hold them many times. */
const max_command_bytes = 8_192;
/** Shortest and longest wait of a step, in seconds. */
export const wait_s = { least: 1, most: 900 } as const;
/** A run that is later than this is missed: it is reported, and not made up for. */
export const late_ms = 120_000;

export const stepPowers = ['start', 'stop', 'restart'] as const;
/** What a schedule does when one of its steps fails. */
export const failureChoices = ['stop', 'continue'] as const;
/** How a run ended; `skipped`: a condition was not met, `missed`: it did not take place at its time. */
export const outcomes = ['running', 'done', 'failed', 'skipped', 'missed'] as const;
export const stepStates = ['waiting', 'running', 'done', 'failed', 'skipped'] as const;

/** One step; `update` updates all content to the newest versions that fit. */
export type ScheduleStep =
  | { kind: 'command'; text: string }
  | { kind: 'power'; action: (typeof stepPowers)[number] }
  | { kind: 'backup' }
  | { kind: 'update' }
  | { kind: 'wait'; seconds: number };
export type StepKind = ScheduleStep['kind'];

const rightFor: Record<StepKind, ServerRight | null> = {
  command: 'console',
  power: 'power',
  backup: 'backups',
  update: 'content',
  wait: null,
};

/** The rights that a person needs for saving a schedule with these steps, and that are asked again at each run. */
export const rightsFor = (steps: readonly Pick<ScheduleStep, 'kind'>[]): ServerRight[] => [
  ...new Set<ServerRight>(['schedules', ...steps.flatMap(({ kind }) => rightFor[kind] ?? [])]),
];

/** A refusal with what fills its text. */
export interface Why {
  code: RefusalCode;
  data?: Record<string, string | number>;
}

/** The name to store: trimmed, in NFC, white space once. */
export const scheduleName = (text: string): string => oneLine(text).normalize().replace(/\s+/g, ' ');

/** Why a schedule cannot have this name and these steps, or null. */
export function whyNotSchedule(name: string, steps: readonly ScheduleStep[]): Why | null {
  const characters = [...scheduleName(name)].length;
  if (characters < 1 || characters > schedule_name_length || hasOddCharacters(name.replace(/\s+/g, ' ')))
    return { code: 'schedule_name_length', data: { most: schedule_name_length } };
  if (steps.length === 0) return { code: 'schedule_steps_none' };
  if (steps.length > max_steps) return { code: 'schedule_steps_too_many', data: { most: max_steps } };
  for (const [at, step] of steps.entries()) {
    const why = whyNotStep(step);
    if (why) return { ...why, data: { ...why.data, step: at + 1 } };
  }
  const texts = steps.flatMap((step) => (step.kind === 'command' ? step.text : []));
  const bytes = new TextEncoder().encode(texts.join('')).length;
  return bytes > max_command_bytes
    ? { code: 'schedule_commands_too_long', data: { most: max_command_bytes } }
    : null;
}

function whyNotStep(step: ScheduleStep): Why | null {
  if (step.kind === 'command') {
    const code = whyNotCommandText(step.text);
    return code && { code };
  }
  if (step.kind !== 'wait') return null;
  const { seconds } = step;
  const fits = Number.isInteger(seconds) && seconds >= wait_s.least && seconds <= wait_s.most;
  return fits ? null : { code: 'schedule_wait_range', data: { ...wait_s } };
}

/** Refusals of a step that pass by themselves: it is tried again for a while. */
const passing: readonly RefusalCode[] = [
  'server_busy',
  'backup_in_progress',
  'server_unreachable',
  'content_changed',
];
export const isPassing = (code: RefusalCode): boolean => passing.includes(code);

/** How long a step of a kind may take, in milliseconds, waiting for its turn included. */
export const stepTimeouts: Record<StepKind, number> = {
  command: 120_000,
  power: 10 * 60_000,
  backup: 3 * 3_600_000,
  update: 3_600_000,
  wait: (wait_s.most + 300) * 1_000,
};
