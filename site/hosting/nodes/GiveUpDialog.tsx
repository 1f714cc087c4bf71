import { useId, useState } from 'react';
import type { NodeView } from '#db/hosting/nodes/view.ts';
import { mutate } from '../../platform/browser/mutate.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { FormDialog } from '../shared/FormDialog.tsx';
import type { DialogProps } from './node-dialogs.ts';
import { askStaff, type StaffResult } from './staff.store.ts';
import { useRefusal } from './use-refusal.ts';

/** Gives a node up as lost, after its name was typed; then says what became of its servers. */
export function GiveUpDialog({ node, done }: DialogProps & { node: NodeView }) {
  const { t, count } = useMessages();
  const { problem, refused } = useRefusal();
  const id = useId();
  const [typed, setTyped] = useState('');
  const [ended, setEnded] = useState<StaffResult<'node.give_up'> | null>(null);
  const submit = async () => {
    await mutate({
      send: () => askStaff('node.give_up', { node_id: node.id }),
      refused,
      refresh: setEnded,
    });
    return false;
  };
  if (ended)
    return (
      <FormDialog key="ended" title={t('nodes.gave_up')} done={done}>
        <p role="status">
          {count('nodes.rescued', ended.rescued)} {count('nodes.lost_servers', ended.lost)}
        </p>
      </FormDialog>
    );
  return (
    <FormDialog
      title={t('nodes.give_up_title', { name: node.name })}
      action={t('nodes.give_up')}
      danger
      isReady={typed.trim() === node.name}
      {...{ problem, submit, done }}
    >
      <p>{t('nodes.give_up_text')}</p>
      <p>{count('nodes.servers_on', node.servers)}</p>
      <div className="field">
        <label htmlFor={id}>{t('nodes.give_up_typed', { name: node.name })}</label>
        <input
          className="in"
          id={id}
          dir="ltr"
          value={typed}
          autoComplete="off"
          data-first
          onChange={(event) => setTyped(event.target.value)}
        />
      </div>
    </FormDialog>
  );
}
