import { useStore } from '@nanostores/react';
import type { MessageKey } from '#content/keys.ts';
import type { ScheduleView } from '#db/hosting/servers/schedules/view.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Menu, MenuItem, MenuLine } from '../../../platform/ui/Menu.tsx';
import { Icon } from '../../shared/Icon.tsx';
import { runSchedule, switchSchedule } from './actions.ts';
import { outcomeTones, reasonText, stepText, timeText } from './schedule-text.ts';
import { $waiting } from './schedules.store.ts';
import { useSentence } from './sentence.ts';

interface ScheduleLineProps {
  schedule: ScheduleView;
  /** Why the user cannot change or run it now. */
  whyNot: string | null;
  /** Why nothing can be loaded now: the connection is lost. */
  offline: string | null;
  edit(): void;
  showHistory(): void;
  remove(): void;
}

/** The browser announces whether it is checked. */
const isSwitch = { role: 'switch' } as const;

/** One schedule: when it runs, what it does, how it went, and its switch. */
export function ScheduleLine({ schedule, whyNot, offline, edit, showHistory, remove }: ScheduleLineProps) {
  const labels = useMessages();
  const { t, formatting } = labels;
  const waiting = useStore($waiting);
  const { id, name, cron, timezone, enabled, broken, last_run, next_runs } = schedule;
  const sentence = useSentence(cron, formatting);
  const isRunning = last_run?.outcome === 'running';
  const conditions = [
    schedule.only_when_empty && t('schedule.only_when_empty'),
    schedule.only_when_running && t('schedule.only_when_running'),
  ].filter((one) => one !== false);
  return (
    <li data-state={last_run?.outcome}>
      <input
        className="toggle"
        type="checkbox"
        {...isSwitch}
        aria-label={t('schedule.switch', { name })}
        aria-busy={waiting.includes(`switch ${id}`)}
        checked={enabled}
        disabled={whyNot !== null}
        data-tip={whyNot ?? undefined}
        onChange={() => void switchSchedule(id, !enabled)}
      />
      <div className="about">
        <div className="row wrap">
          <h3 className="name">
            <bdi>{name}</bdi>
          </h3>
          {broken && <span className="badge bad">{t('schedule.broken')}</span>}
          {last_run && (
            <span className={`badge ${outcomeTones[last_run.outcome]}`}>
              {t(`schedule.outcome_${last_run.outcome}` as MessageKey)}
            </span>
          )}
        </div>
        <p className="when">
          {sentence ?? <code dir="ltr">{cron}</code>} <bdi className="zone">({timezone})</bdi>
        </p>
        <p className="meta">
          {enabled
            ? t('schedule.next', {
                times: next_runs.map((at) => timeText(formatting, at, timezone)).join(' · '),
              })
            : t('schedule.off')}
        </p>
        {conditions.length > 0 && <p className="meta">{conditions.join(' · ')}</p>}
        <ol className="steps-short">
          {schedule.steps.map((step, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps have no other identity
            <li key={at} data-step={isRunning ? last_run.steps[at]?.state : undefined}>
              {stepText(labels, step)}
            </li>
          ))}
        </ol>
        {(broken ?? last_run?.reason) && (
          <p className="why bad">{reasonText(labels, (broken ?? last_run?.reason)!)}</p>
        )}
      </div>
      <div className="acts">
        <button
          className="btn s"
          type="button"
          aria-label={t('schedule.run_of', { name })}
          aria-disabled={whyNot !== null || isRunning}
          aria-busy={isRunning || waiting.includes(`run ${id}`)}
          data-tip={whyNot ?? (isRunning ? t('error.schedule_running') : undefined)}
          onClick={() => whyNot === null && !isRunning && void runSchedule(id)}
        >
          {t('schedule.run')}
        </button>
        <Menu look="btn quiet s icon" label={t('servers.more_of', { name })} button={<Icon name="more" />}>
          <MenuItem whyNot={whyNot} act={edit} icon={<Icon name="rename" />}>
            {t('schedule.edit')}
          </MenuItem>
          <MenuItem whyNot={offline} act={showHistory} icon={<Icon name="older" />}>
            {t('schedule.history')}
          </MenuItem>
          <MenuLine />
          <MenuItem whyNot={whyNot} act={remove} icon={<Icon name="remove" />} isBad>
            {t('schedule.remove')}
          </MenuItem>
        </Menu>
      </div>
    </li>
  );
}
