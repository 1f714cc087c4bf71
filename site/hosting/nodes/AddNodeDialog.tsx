import { type ReactNode, useId, useState } from 'react';
import type { MessageKey } from '#content/keys.ts';
import { regions } from '#db/money/billing/rules.ts';
import { mutate } from '../../platform/browser/mutate.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { regionNames } from '../checkout/region-names.ts';
import { FormDialog } from '../shared/FormDialog.tsx';
import {
  emptyNode,
  isWithin,
  type NodeFields,
  type NumberField,
  numberFields,
  requestOf,
} from './new-node.ts';
import type { DialogProps } from './node-dialogs.ts';
import { askStaff } from './staff.store.ts';
import { useRefusal } from './use-refusal.ts';

const labels: Record<NumberField, MessageKey> = {
  port_from: 'nodes.port_from',
  port_to: 'nodes.port_to',
  overcommit: 'nodes.overcommit_factor',
  ram_gb: 'nodes.most_memory',
  cpu: 'nodes.most_cpu',
  disk_gb: 'nodes.most_disk',
};

/** A new node; the next dialog shows the command that joins its machine. */
export function AddNodeDialog({ open, done }: DialogProps) {
  const { t, number } = useMessages();
  const { problem, clear, refused } = useRefusal();
  const [fields, setFields] = useState<NodeFields>(emptyNode);
  const wrong = (Object.keys(numberFields) as NumberField[]).filter(
    (key) => !isWithin(fields[key], numberFields[key]),
  );
  const set = (key: keyof NodeFields) => (value: string) =>
    setFields((now) => ({ ...now, [key]: value }) as NodeFields);
  const submit = async () => {
    clear();
    await mutate({
      send: () => askStaff('node.add', requestOf(fields)),
      refused,
      refresh: (joining) => open({ kind: 'join', ...joining }),
    });
    return false;
  };
  const numberField = (key: NumberField, hint?: string) => {
    const { least, most } = numberFields[key];
    const bounds = { least: number(least, 1, 0), most: number(most) };
    const error = wrong.includes(key) ? t('nodes.number_wrong', bounds) : null;
    return <Field label={t(labels[key])} value={fields[key]} set={set(key)} isNumber {...{ hint, error }} />;
  };
  return (
    <FormDialog
      title={t('nodes.add')}
      action={t('nodes.add')}
      wide
      isReady={fields.name.trim() !== '' && fields.public_address.trim() !== '' && wrong.length === 0}
      {...{ problem, submit, done }}
    >
      <p className="dim">{t('nodes.add_text')}</p>
      <Field
        label={t('nodes.name')}
        hint={t('nodes.name_hint')}
        value={fields.name}
        set={set('name')}
        isFirst
      />
      <RegionField value={fields.region} set={set('region')} />
      <Field
        label={t('nodes.address')}
        hint={t('nodes.address_hint')}
        value={fields.public_address}
        set={set('public_address')}
      />
      <details className="more-fields">
        <summary>{t('nodes.advanced')}</summary>
        <div className="pairs">
          {numberField('port_from')}
          {numberField('port_to')}
          <Field
            label={t('nodes.bind')}
            hint={t('nodes.bind_hint')}
            value={fields.bind_address}
            set={set('bind_address')}
          />
          {numberField('overcommit', t('nodes.overcommit_hint'))}
          {numberField('ram_gb')}
          {numberField('cpu')}
          {numberField('disk_gb', t('nodes.most_hint'))}
        </div>
      </details>
    </FormDialog>
  );
}

function RegionField({ value, set }: { value: string; set(value: string): void }) {
  const { t } = useMessages();
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{t('nodes.region')}</label>
      <select
        className="in"
        id={id}
        value={value}
        aria-describedby={`${id}-hint`}
        onChange={(event) => set(event.target.value)}
      >
        {regions.map((region) => (
          <option key={region} value={region}>
            {t(regionNames[region])}
          </option>
        ))}
      </select>
      <span className="hint" id={`${id}-hint`}>
        {t('nodes.region_hint')}
      </span>
    </div>
  );
}

interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string | null;
  value: string;
  isNumber?: boolean;
  isFirst?: boolean;
  set(value: string): void;
}

/** Names, addresses and numbers are written from left to right in every language. */
function Field({ label, hint, error = null, value, isNumber = false, isFirst = false, set }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        className="in"
        id={id}
        dir="ltr"
        value={value}
        maxLength={253}
        inputMode={isNumber ? 'decimal' : undefined}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        data-first={isFirst || undefined}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-hint`}
        onChange={(event) => set(event.target.value)}
      />
      <span
        className={error ? 'hint bad' : 'hint'}
        id={`${id}-hint`}
        aria-live={isNumber ? 'polite' : undefined}
      >
        {error ?? hint}
      </span>
    </div>
  );
}
