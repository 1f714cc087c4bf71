import { useId, useState } from 'react';
import { mutate } from '../../platform/browser/mutate.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { isWithin } from '../nodes/new-node.ts';
import { askStaff } from '../nodes/staff.store.ts';
import { useRefusal } from '../nodes/use-refusal.ts';
import { FormDialog } from '../shared/FormDialog.tsx';
import type { DialogProps } from './server-dialogs.ts';
import { showServer } from './servers.store.ts';

/** What a size may be: as the request has it. */
const bounds = {
  ram_gb: { least: 1, most: 1_024, step: 1 },
  cpu: { least: 0.1, most: 256, step: 0.1 },
  disk_gb: { least: 1, most: 65_536, step: 1 },
} as const;
type Part = keyof typeof bounds;
const parts = ['ram_gb', 'cpu', 'disk_gb'] as const;
const labels = {
  ram_gb: 'staff_servers.memory',
  cpu: 'staff_servers.cpu',
  disk_gb: 'staff_servers.disk',
} as const;

/** Another size of a server, on its node. */
export function ResizeDialog({ of: { server }, done }: DialogProps) {
  const { t } = useMessages();
  const { problem, refused, clear } = useRefusal();
  const [size, setSize] = useState<Record<Part, string>>({
    ram_gb: String(Math.round(server.ram_mb / 1024)),
    cpu: String(server.cpu_millis / 1000),
    disk_gb: String(Math.round(server.disk_mb / 1024)),
  });
  const isFine = parts.every((part) => isWithin(size[part], bounds[part]));
  const submit = async () => {
    clear();
    const [ram_gb, cpu, disk_gb] = [Number(size.ram_gb), Number(size.cpu), Number(size.disk_gb)];
    const result = await mutate({
      send: () => askStaff('server.resize', { server_id: server.id, ram_gb, cpu, disk_gb }),
      refused,
      refresh: (answer) => showServer(answer.server),
      success: { title: t('staff_servers.resized'), text: server.name },
    });
    return result.ok;
  };
  return (
    <FormDialog
      title={t('staff_servers.resize_title', { name: server.name })}
      action={t('staff_servers.resize')}
      isReady={isFine}
      {...{ problem, submit, done }}
    >
      <p>{t('staff_servers.resize_text')}</p>
      {parts.map((part, index) => (
        <NumberField
          key={part}
          part={part}
          value={size[part]}
          isFirst={index === 0}
          set={(value) => setSize((now) => ({ ...now, [part]: value }))}
        />
      ))}
    </FormDialog>
  );
}

interface FieldProps {
  part: Part;
  value: string;
  isFirst: boolean;
  set(value: string): void;
}

function NumberField({ part, value, isFirst, set }: FieldProps) {
  const { t, number } = useMessages();
  const id = useId();
  const { least, most } = bounds[part];
  const isWrong = !isWithin(value, bounds[part]);
  return (
    <div className="field">
      <label htmlFor={id}>{t(labels[part])}</label>
      <input
        className="in"
        id={id}
        dir="ltr"
        inputMode="decimal"
        autoComplete="off"
        value={value}
        data-first={isFirst || undefined}
        aria-invalid={isWrong || undefined}
        aria-describedby={`${id}-hint`}
        onChange={(event) => set(event.target.value)}
      />
      <span className="hint bad" id={`${id}-hint`} aria-live="polite">
        {isWrong && t('staff_servers.number_wrong', { least: number(least, 1, 0), most: number(most) })}
      </span>
    </div>
  );
}
