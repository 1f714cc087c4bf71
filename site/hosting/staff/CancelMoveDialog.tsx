import { mutate } from '../../platform/browser/mutate.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { askStaff } from '../nodes/staff.store.ts';
import { useRefusal } from '../nodes/use-refusal.ts';
import { FormDialog } from '../shared/FormDialog.tsx';
import type { DialogProps } from './server-dialogs.ts';
import { showServer } from './servers.store.ts';

/** Cancels a move that has not left its node. */
export function CancelMoveDialog({
  of,
  done,
}: { of: { server: { id: string; name: string } } } & Pick<DialogProps, 'done'>) {
  const { t } = useMessages();
  const { problem, refused } = useRefusal();
  const { id, name } = of.server;
  const submit = async () => {
    const result = await mutate({
      send: () => askStaff('server.cancel_move', { server_id: id }),
      refused,
      refresh: ({ server }) => showServer(server),
      success: { title: t('staff_servers.canceled'), text: name },
    });
    return result.ok;
  };
  return (
    <FormDialog
      title={t('staff_servers.cancel_title', { name })}
      action={t('staff_servers.cancel_move')}
      danger
      {...{ problem, submit, done }}
    >
      <p>{t('staff_servers.cancel_text')}</p>
    </FormDialog>
  );
}
