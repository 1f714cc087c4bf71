import type { MessageKey } from '#content/keys.ts';
import type { ScheduleStep } from '#db/hosting/servers/schedules/rules.ts';
import type { Reason, RunView } from '#db/hosting/servers/schedules/view.ts';
import type { PageMessages } from '../../../platform/text/MessagesContext.tsx';

/** Steps, reasons and times in words. */

/** What a step does. */
export function stepText({ t, count }: PageMessages, step: ScheduleStep): string {
  if (step.kind === 'command') return t('schedule.does_command', { text: `\u2066${step.text}\u2069` });
  if (step.kind === 'wait') return count('schedule.does_wait', step.seconds);
  if (step.kind === 'power') return t(`schedule.does_${step.action}` as MessageKey);
  return t(`schedule.does_${step.kind}` as MessageKey);
}

/** A refusal code in words; one without a text as it is, for support. */
export function reasonText(labels: PageMessages, { code, data }: Reason): string {
  const key = `error.${code}`;
  const values: Record<string, string | number> = { ...data };
  if (code === 'schedule_right_missing')
    values.right = labels.t(`schedule.right_${data?.right}` as MessageKey);
  const text = labels.t(key as MessageKey, values);
  return text === key ? labels.t('schedule.why_unknown', { code }) : text;
}

/** A time in a zone, with the weekday: `Fri, Nov 27, 4:00 AM`, `Fr., 27. Nov., 04:00`. */
export function timeText(formatting: string, instant: string, timeZone?: string): string {
  // as `timeStyle` writes it, which does not go with a weekday
  const { hour12 } = new Intl.DateTimeFormat(formatting, { timeStyle: 'short' }).resolvedOptions();
  return new Intl.DateTimeFormat(formatting, {
    ...({ weekday: 'short', day: 'numeric', month: 'short', minute: '2-digit' } as const),
    ...{ hour: hour12 ? 'numeric' : '2-digit' },
    ...(timeZone && { timeZone }),
  }).format(new Date(instant));
}

export const outcomeTones: Record<RunView['outcome'], '' | 'good' | 'warn' | 'bad' | 'note'> = {
  running: 'note',
  done: 'good',
  failed: 'bad',
  skipped: '',
  missed: 'warn',
};
