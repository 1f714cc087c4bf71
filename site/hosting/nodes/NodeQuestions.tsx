import type { NodeView } from '#db/hosting/nodes/view.ts';
import { mutate } from '../../platform/browser/mutate.ts';
import { showToast } from '../../platform/browser/toasts.store.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { FormDialog } from '../shared/FormDialog.tsx';
import type { DialogProps } from './node-dialogs.ts';
import { $nodes } from './nodes.store.ts';
import { askStaff } from './staff.store.ts';
import { useRefusal } from './use-refusal.ts';

/** Questions before a node is changed. */
type Props = DialogProps & { node: NodeView };

/** Another join command, shown in the next dialog. */
export function RejoinDialog({ node, open, done }: Props) {
  const { t } = useMessages();
  const { problem, refused } = useRefusal();
  const submit = async () => {
    await mutate({
      send: () => askStaff('node.rejoin', { node_id: node.id }),
      refused,
      refresh: (joining) => open({ kind: 'join', ...joining }),
    });
    return false;
  };
  return (
    <FormDialog
      title={t('nodes.rejoin_title', { name: node.name })}
      action={t('nodes.rejoin_action')}
      {...{ problem, submit, done }}
    >
      <p>{t('nodes.rejoin_text')}</p>
    </FormDialog>
  );
}

/** Another secret: its agent gets it, or the next dialog shows it. */
export function RotateDialog({ node, open, done }: Props) {
  const { t } = useMessages();
  const { problem, refused } = useRefusal();
  const submit = async () => {
    const result = await mutate({
      send: () => askStaff('node.rotate', { node_id: node.id }),
      refused,
      refresh: ({ secret }) => {
        if (secret !== null) open({ kind: 'secret', node, secret });
        else showToast({ type: 'success', title: t('nodes.rotated'), text: t('nodes.rotated_text') });
      },
    });
    return result.ok && result.data.secret === null;
  };
  return (
    <FormDialog
      title={t('nodes.rotate_title', { name: node.name })}
      action={t('nodes.rotate')}
      {...{ problem, submit, done }}
    >
      <p>{t('nodes.rotate_text')}</p>
    </FormDialog>
  );
}

/** Removes a node without servers. */
export function RemoveDialog({ node, done }: Props) {
  const { t } = useMessages();
  const { problem, refused } = useRefusal();
  const submit = async () => {
    const result = await mutate({
      send: () => askStaff('node.remove', { node_id: node.id }),
      refused,
      refresh: () => $nodes.set(($nodes.get() ?? []).filter(({ id }) => id !== node.id)),
      success: { title: t('nodes.removed'), text: node.name },
    });
    return result.ok;
  };
  return (
    <FormDialog
      title={t('nodes.remove_title', { name: node.name })}
      action={t('nodes.remove')}
      danger
      {...{ problem, submit, done }}
    >
      <p>{t('nodes.remove_text')}</p>
    </FormDialog>
  );
}
