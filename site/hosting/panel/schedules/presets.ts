import type { ScheduleInput } from '#db/hosting/servers/schedules/view.ts';
import type { PageMessages } from '../../../platform/text/MessagesContext.tsx';

/** The times that most schedules have, and the two schedules that an empty page offers. Pure. */

export interface Times {
  kind: 'daily' | 'hours' | 'weekly' | 'own';
  /** `04:00` */
  time: string;
  hours: number;
  /** 0 is Sunday. */
  weekday: number;
}
/** Intervals that divide a day: runs are as far apart at midnight as at noon. */
export const hourChoices = [1, 2, 3, 4, 6, 8, 12] as const;

const two = (text: string) => text.padStart(2, '0');

/** What an expression is among the presets. */
export function timesOf(cron: string): Times {
  const [, minute = '', hour = '', day = ''] = /^(\d{1,2}) (\S+) \* \* (\*|[0-6])$/.exec(cron) ?? [];
  const usual = { time: '04:00', hours: 6, weekday: 1 };
  if (/^\d{1,2}$/.test(hour) && Number(hour) < 24 && Number(minute) < 60) {
    const time = `${two(hour)}:${two(minute)}`;
    return day === '*'
      ? { ...usual, kind: 'daily', time }
      : { ...usual, kind: 'weekly', time, weekday: Number(day) };
  }
  const hours = hour === '*' ? 1 : Number(/^\*\/(\d+)$/.exec(hour)?.[1]);
  const isInterval = minute === '0' && day === '*' && hourChoices.some((one) => one === hours);
  return isInterval ? { ...usual, kind: 'hours', hours } : { ...usual, kind: 'own' };
}

/** The expression of a preset; null for an own one. */
export function cronOf({ kind, time, hours, weekday }: Times): string | null {
  const [hour, minute] = time.split(':').map(Number);
  if (kind === 'hours') return hours === 1 ? '0 * * * *' : `0 */${hours} * * *`;
  if (kind === 'own' || !Number.isInteger(hour) || !Number.isInteger(minute)) return null;
  return `${minute} ${hour} * * ${kind === 'daily' ? '*' : weekday}`;
}

/** The time zone of the browser. */
const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const empty = {
  enabled: true,
  only_when_empty: false,
  only_when_running: false,
  on_failure: 'stop',
} as const;
const announced = (text: string) => ({ kind: 'command', text: `say ${text}` }) as const;

/** A new schedule, without steps. */
export const newSchedule = (): ScheduleInput => ({
  ...empty,
  name: '',
  cron: '0 4 * * *',
  timezone: ownZone(),
  steps: [],
});

/** A restart every night that players are told of, and a backup with all updates once a week while nobody plays. */
export const usefulSchedules = ({
  t,
}: Pick<PageMessages, 't'>): Record<'restart' | 'backup', ScheduleInput> => ({
  restart: {
    ...{ ...newSchedule(), name: t('schedule.nightly_restart'), only_when_running: true },
    steps: [
      announced(t('schedule.say_minute')),
      { kind: 'wait', seconds: 60 },
      { kind: 'power', action: 'restart' },
    ],
  },
  backup: {
    ...{ ...newSchedule(), name: t('schedule.backup_and_update'), cron: '0 5 * * 1', only_when_empty: true },
    steps: [{ kind: 'backup' }, { kind: 'update' }, { kind: 'power', action: 'restart' }],
  },
});
