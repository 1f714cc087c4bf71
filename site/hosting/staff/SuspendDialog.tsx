import { useId, useState } from 'react';
import { staffSuspensions } from '#db/hosting/servers/rules.ts';
import { mutate } from '../../platform/browser/mutate.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { askStaff } from '../nodes/staff.store.ts';
import { useRefusal } from '../nodes/use-refusal.ts';
import { FormDialog } from '../shared/FormDialog.tsx';
import type { DialogProps } from './server-dialogs.ts';
import { showServer } from './servers.store.ts';

type Reason = (typeof staffSuspensions)[number];

/** Suspends a server, or gives its suspension another reason; shows what its owner reads. */
export function SuspendDialog({ of: { server }, done }: DialogProps) {
  const { t } = useMessages();
  const { problem, refused } = useRefusal();
  const id = useId();
  const given = staffSuspensions.find((one) => one === server.lifecycle_data.reason);
  const [reason, setReason] = useState<Reason>(given ?? 'moderated');
  const isAgain = server.lifecycle === 'suspended';
  const submit = async () => {
    const result = await mutate({
      send: () => askStaff('server.suspend', { server_id: server.id, reason }),
      refused,
      refresh: (answer) => showServer(answer.server),
      success: { title: t('staff_servers.suspended'), text: server.name },
    });
    return result.ok;
  };
  return (
    <FormDialog
      title={t('staff_servers.suspend_title', { name: server.name })}
      action={t(isAgain ? 'staff_servers.suspend_again' : 'staff_servers.suspend')}
      danger
      {...{ problem, submit, done }}
    >
      <p>{t('staff_servers.suspend_text')}</p>
      <div className="field">
        <label htmlFor={id}>{t('staff_servers.reason')}</label>
        <select
          className="in"
          id={id}
          value={reason}
          data-first
          aria-describedby={`${id}-reads`}
          onChange={(event) =>
            setReason(staffSuspensions.find((one) => one === event.target.value) ?? 'other')
          }
        >
          {staffSuspensions.map((one) => (
            <option key={one} value={one}>
              {t(`staff_servers.reason_${one}`)}
            </option>
          ))}
        </select>
        <span className="hint" id={`${id}-reads`} aria-live="polite">
          {t('staff_servers.owner_reads', { text: t(`servers.suspended_${reason}`) })}
        </span>
      </div>
    </FormDialog>
  );
}
