import { useId, useState } from 'react';
import type { MessageKey } from '#content/keys.ts';
import type { BackupView, RetentionRules } from '#db/hosting/servers/backups/view.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { FormDialog } from '../../shared/FormDialog.tsx';
import { refusalIn, saveRetention } from './actions.ts';
import { RetentionText } from './RetentionText.tsx';
import { bounds, intervals, numberWithin, type RetentionField, retentionFields } from './retention.ts';

const names: Record<RetentionField, MessageKey> = {
  last: 'backup.keep_last',
  hourly: 'backup.keep_hourly',
  daily: 'backup.keep_daily',
  weekly: 'backup.keep_weekly',
};

interface RetentionDialogProps {
  retention: RetentionRules;
  backups: readonly BackupView[];
  most: number;
  whyNot: string | null;
  done(): void;
}

/** How often automated backups are made and which of them stay, with what that means. */
export function RetentionDialog({ retention, backups, most, whyNot, done }: RetentionDialogProps) {
  const labels = useMessages();
  const { t, count, number } = labels;
  const id = useId();
  const [every, setEvery] = useState(retention.every_hours);
  const [typed, setTyped] = useState(
    () =>
      Object.fromEntries(retentionFields.map((rule) => [rule, String(retention[rule])])) as Record<
        RetentionField,
        string
      >,
  );
  const [problem, setProblem] = useState<readonly [string, string] | null>(null);
  const values = retentionFields.map((rule) => [rule, numberWithin(typed[rule], bounds[rule])] as const);
  const isValid = values.every(([, value]) => value !== null);
  const rules = isValid
    ? { every_hours: every, ...(Object.fromEntries(values) as Record<RetentionField, number>) }
    : null;
  const offered = [...new Set([...intervals, ...(retention.every_hours ? [retention.every_hours] : [])])];
  const submit = async () => {
    if (!rules) return false;
    setProblem(null);
    return await saveRetention(rules, (error) => {
      setProblem([t('backup.retain_failed'), refusalIn(labels, error)]);
      return true;
    });
  };
  return (
    <FormDialog
      title={t('backup.retention')}
      action={t('servers.save')}
      whyNot={whyNot ?? (rules ? null : t('backup.retain_numbers'))}
      {...{ problem, submit, done }}
    >
      <div className="field">
        <label htmlFor={id}>{t('backup.every')}</label>
        <select
          className="in"
          id={id}
          value={every ?? ''}
          onChange={({ target }) => setEvery(target.value === '' ? null : Number(target.value))}
        >
          <option value="">{t('backup.never')}</option>
          {offered
            .sort((a, b) => a - b)
            .map((hours) => (
              <option key={hours} value={hours}>
                {count('backup.every_hours', hours)}
              </option>
            ))}
        </select>
      </div>
      <fieldset className="keeps">
        <legend className="label">{t('backup.keeps')}</legend>
        {values.map(([rule, value]) => (
          <div key={rule} className="field">
            <label htmlFor={`${id}-${rule}`}>{t(names[rule])}</label>
            <input
              className="in"
              id={`${id}-${rule}`}
              type="number"
              inputMode="numeric"
              min={bounds[rule][0]}
              max={bounds[rule][1]}
              value={typed[rule]}
              aria-invalid={value === null ? true : undefined}
              aria-describedby={`${id}-${rule}-wrong`}
              onChange={(event) => setTyped({ ...typed, [rule]: event.target.value })}
            />
            <span className="hint bad" id={`${id}-${rule}-wrong`}>
              {value === null &&
                t('backup.number_between', {
                  least: number(bounds[rule][0]),
                  most: number(bounds[rule][1]),
                })}
            </span>
          </div>
        ))}
      </fieldset>
      <div aria-live="polite">{rules && <RetentionText rules={rules} backups={backups} most={most} />}</div>
    </FormDialog>
  );
}
