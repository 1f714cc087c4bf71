import { useId, useState } from 'react';
import { whyNotTimes } from '#db/hosting/servers/schedules/cron.ts';
import { whyNotSchedule } from '#db/hosting/servers/schedules/rules.ts';
import type { ScheduleInput, ScheduleView } from '#db/hosting/servers/schedules/view.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { FormDialog } from '../../shared/FormDialog.tsx';
import { saveSchedule } from './actions.ts';
import { StepFields } from './StepFields.tsx';
import { reasonText } from './schedule-text.ts';
import { TimeFields } from './TimeFields.tsx';

type EditorProps = {
  whyNot: string | null;
  done(): void;
} & ({ before: ScheduleView; draft?: never } | { draft: ScheduleInput; before?: never });

const inputOf = ({ name, cron, timezone, enabled, ...rest }: ScheduleView): ScheduleInput => ({
  ...{ name, cron, timezone, enabled, steps: [...rest.steps], on_failure: rest.on_failure },
  ...{ only_when_empty: rest.only_when_empty, only_when_running: rest.only_when_running },
});

/** A new schedule, or a changed one: name, times with the next runs, conditions and steps. */
export function Editor({ before, draft, whyNot, done }: EditorProps) {
  const labels = useMessages();
  const { t } = labels;
  const id = useId();
  const [schedule, setSchedule] = useState<ScheduleInput>(() => (before ? inputOf(before) : draft));
  const [problem, setProblem] = useState<readonly [string, string] | null>(null);
  const set = (part: Partial<ScheduleInput>) => setSchedule((now) => ({ ...now, ...part }));
  const { name, cron, timezone, steps, on_failure } = schedule;
  const wrongTimes = whyNotTimes(cron, timezone, new Date());
  const wrong = whyNotSchedule(name, steps) ?? wrongTimes;
  const submit = async () => {
    setProblem(null);
    return await saveSchedule(before ?? null, schedule, (error) => {
      setProblem([t('schedule.save_failed'), error.description || t('servers.line_lost')]);
      return true;
    });
  };
  const check = (key: 'only_when_empty' | 'only_when_running') => (
    <label className="check">
      <input
        type="checkbox"
        checked={schedule[key]}
        onChange={({ target }) => set({ [key]: target.checked })}
      />
      <span>{t(`schedule.${key}`)}</span>
    </label>
  );
  return (
    <FormDialog
      title={t(before ? 'schedule.edit_title' : 'schedule.add')}
      action={t('servers.save')}
      whyNot={whyNot ?? (wrong && reasonText(labels, wrong))}
      wide
      {...{ problem, submit, done }}
    >
      <div className="field">
        <label htmlFor={id}>{t('schedule.name')}</label>
        <input
          className="in"
          id={id}
          data-first
          autoComplete="off"
          maxLength={100}
          value={name}
          onChange={({ target }) => set({ name: target.value })}
        />
      </div>
      <TimeFields {...{ cron, timezone, set }} wrong={wrongTimes && reasonText(labels, wrongTimes)} />
      <fieldset className="sc-fields">
        <legend className="label">{t('schedule.conditions')}</legend>
        {check('only_when_empty')}
        {check('only_when_running')}
      </fieldset>
      <StepFields steps={steps} setSteps={(some) => set({ steps: some })} />
      <div className="field">
        <label htmlFor={`${id}-failure`}>{t('schedule.on_failure')}</label>
        <select
          className="in"
          id={`${id}-failure`}
          value={on_failure}
          onChange={({ target }) => set({ on_failure: target.value as ScheduleInput['on_failure'] })}
        >
          <option value="stop">{t('schedule.failure_stop')}</option>
          <option value="continue">{t('schedule.failure_continue')}</option>
        </select>
      </div>
      <p className="hint">{t('schedule.your_rights')}</p>
    </FormDialog>
  );
}
