import { useId } from 'react';
import type { MessageKey } from '#content/keys.ts';
import {
  max_steps,
  type ScheduleStep,
  type StepKind,
  stepPowers,
  wait_s,
} from '#db/hosting/servers/schedules/rules.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Icon } from '../../shared/Icon.tsx';

const kinds = ['command', 'power', 'backup', 'update', 'wait'] as const satisfies StepKind[];
const fresh: Record<StepKind, ScheduleStep> = {
  command: { kind: 'command', text: '' },
  power: { kind: 'power', action: 'restart' },
  backup: { kind: 'backup' },
  update: { kind: 'update' },
  wait: { kind: 'wait', seconds: 30 },
};

interface StepFieldsProps {
  steps: readonly ScheduleStep[];
  setSteps(steps: ScheduleStep[]): void;
}

/** The steps of a schedule, in order. */
export function StepFields({ steps, setSteps }: StepFieldsProps) {
  const { t, number } = useMessages();
  const isFull = steps.length >= max_steps;
  const move = (at: number, by: number) => {
    const next = [...steps];
    next.splice(at + by, 0, ...next.splice(at, 1));
    setSteps(next);
  };
  return (
    <fieldset className="sc-fields">
      <legend className="label">{t('schedule.steps')}</legend>
      <ol className="sc-steps">
        {steps.map((step, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps have no other identity
          <li key={at}>
            <StepField number={at + 1} step={step} set={(one) => setSteps(steps.with(at, one))} />
            <div className="acts">
              <button
                className="btn quiet s icon"
                type="button"
                aria-label={t('schedule.step_up', { step: number(at + 1) })}
                aria-disabled={at === 0}
                onClick={() => at > 0 && move(at, -1)}
              >
                <Icon name="previous" />
              </button>
              <button
                className="btn quiet s icon"
                type="button"
                aria-label={t('schedule.step_down', { step: number(at + 1) })}
                aria-disabled={at === steps.length - 1}
                onClick={() => at < steps.length - 1 && move(at, 1)}
              >
                <Icon name="next" />
              </button>
              <button
                className="btn quiet s icon"
                type="button"
                aria-label={t('schedule.step_remove', { step: number(at + 1) })}
                onClick={() => setSteps(steps.filter((_, one) => one !== at))}
              >
                <Icon name="remove" />
              </button>
            </div>
          </li>
        ))}
      </ol>
      <button
        className="btn s"
        type="button"
        aria-disabled={isFull}
        data-tip={isFull ? t('error.schedule_steps_too_many', { most: number(max_steps) }) : undefined}
        onClick={() => !isFull && setSteps([...steps, fresh.command])}
      >
        <Icon name="add" />
        {t('schedule.step_add')}
      </button>
    </fieldset>
  );
}

interface StepFieldProps {
  number: number;
  step: ScheduleStep;
  set(step: ScheduleStep): void;
}

function StepField({ number: at, step, set }: StepFieldProps) {
  const { t, number } = useMessages();
  const id = useId();
  return (
    <div className="sc-step">
      <label className="hide" htmlFor={id}>
        {t('schedule.step_kind', { step: number(at) })}
      </label>
      <select
        className="in"
        id={id}
        value={step.kind}
        onChange={({ target }) => set(fresh[target.value as StepKind])}
      >
        {kinds.map((kind) => (
          <option key={kind} value={kind}>
            {t(`schedule.kind_${kind}` as MessageKey)}
          </option>
        ))}
      </select>
      {step.kind === 'command' && (
        <input
          className="in mono"
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          maxLength={4096}
          placeholder="say …"
          aria-label={t('schedule.step_text', { step: number(at) })}
          value={step.text}
          onChange={({ target }) => set({ ...step, text: target.value })}
        />
      )}
      {step.kind === 'power' && (
        <select
          className="in"
          aria-label={t('schedule.step_action', { step: number(at) })}
          value={step.action}
          onChange={({ target }) => set({ ...step, action: target.value as (typeof stepPowers)[number] })}
        >
          {stepPowers.map((action) => (
            <option key={action} value={action}>
              {t(`schedule.does_${action}` as MessageKey)}
            </option>
          ))}
        </select>
      )}
      {step.kind === 'wait' && (
        <input
          className="in"
          type="number"
          inputMode="numeric"
          min={wait_s.least}
          max={wait_s.most}
          aria-label={t('schedule.step_seconds', { step: number(at) })}
          value={Number.isNaN(step.seconds) ? '' : step.seconds}
          onChange={({ target }) => set({ ...step, seconds: target.valueAsNumber })}
        />
      )}
    </div>
  );
}
