import type { MessageKey } from '#content/keys.ts';
import type { RunView, ScheduleView } from '#db/hosting/servers/schedules/view.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Skeleton } from '../../../platform/ui/Skeleton.tsx';
import { FormDialog } from '../../shared/FormDialog.tsx';
import { outcomeTones, reasonText, stepText, timeText } from './schedule-text.ts';

interface HistoryDialogProps {
  schedule: ScheduleView;
  /** Newest first; null while they are loaded. */
  runs: readonly RunView[] | null;
  done(): void;
}

/** The newest runs of a schedule, each step with its result. */
export function HistoryDialog({ schedule, runs, done }: HistoryDialogProps) {
  const { t } = useMessages();
  return (
    <FormDialog title={t('schedule.history_of', { name: schedule.name })} wide done={done}>
      {runs === null && <Skeleton rows={3} />}
      {runs?.length === 0 && <p className="dim">{t('schedule.no_runs')}</p>}
      {runs && runs.length > 0 && (
        <ol className="sc-runs">
          {runs.map((run) => (
            <Run key={run.id} run={run} timezone={schedule.timezone} />
          ))}
        </ol>
      )}
    </FormDialog>
  );
}

function Run({ run, timezone }: { run: RunView; timezone: string }) {
  const labels = useMessages();
  const { t, count, formatting } = labels;
  const { outcome, trigger, due, last_due, began, by, reason } = run;
  const time = (at: string) => <time dateTime={at}>{timeText(formatting, at, timezone)}</time>;
  return (
    <li>
      <div className="row wrap">
        <b>
          {trigger === 'hand' ? time(began) : time(due)}
          {run.count > 1 && <> – {time(last_due)}</>}
        </b>
        <span className={`badge ${outcomeTones[outcome]}`}>
          {t(`schedule.outcome_${outcome}` as MessageKey)}
        </span>
        {run.count > 1 && <span className="meta">{count('schedule.times', run.count)}</span>}
        {trigger === 'hand' && <span className="meta">{t('schedule.by_hand', { name: by ?? '?' })}</span>}
      </div>
      {reason && run.steps.every(({ state }) => state !== 'failed') && (
        <p className="why">{reasonText(labels, reason)}</p>
      )}
      {run.steps.length > 0 && (
        <ol className="sc-results">
          {run.steps.map(({ step, state, reason: why }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps have no other identity
            <li key={at} data-step={state}>
              <span>{stepText(labels, step)}</span>{' '}
              <span className={state === 'failed' ? 'why bad' : 'meta'}>
                {t(`schedule.step_${state}` as MessageKey)}
                {why && <>: {reasonText(labels, why)}</>}
              </span>
            </li>
          ))}
        </ol>
      )}
    </li>
  );
}
