import { useState } from 'react';
import type { NodeView } from '#db/hosting/nodes/view.ts';
import { mutate } from '../../platform/browser/mutate.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { FormDialog } from '../shared/FormDialog.tsx';
import type { DialogProps } from './node-dialogs.ts';
import { askStaff, type StaffResult } from './staff.store.ts';
import { useRefusal } from './use-refusal.ts';

/** Drains a node and moves its servers away; then says which of them stay, and why. */
export function EmptyDialog({ node, done }: DialogProps & { node: NodeView }) {
  const { t, count } = useMessages();
  const { problem, refused } = useRefusal();
  const [drops, setDrops] = useState(false);
  const [emptied, setEmptied] = useState<StaffResult<'node.empty'> | null>(null);
  const submit = async () => {
    await mutate({
      send: () => askStaff('node.empty', { node_id: node.id, drop_backups: drops }),
      refused,
      refresh: setEmptied,
    });
    return false;
  };
  const title = t('nodes.empty_title', { name: node.name });
  if (emptied)
    return (
      <FormDialog key="emptied" title={title} done={done}>
        <Emptied emptied={emptied} />
      </FormDialog>
    );
  return (
    <FormDialog {...{ title, problem, submit, done }} action={t('nodes.empty_action')} danger>
      <p>{t('nodes.empty_text')}</p>
      <p>{count('nodes.servers_on', node.servers)}</p>
      <label className="check">
        <input type="checkbox" checked={drops} onChange={(event) => setDrops(event.target.checked)} />
        <span>{t('nodes.empty_drop')}</span>
      </label>
    </FormDialog>
  );
}

function Emptied({ emptied: { moving, staying } }: { emptied: StaffResult<'node.empty'> }) {
  const { t, count, link } = useMessages();
  return (
    <>
      <p role="status">{count('nodes.empty_moving', moving)}</p>
      {staying.length > 0 && (
        <div>
          <p>{count('nodes.empty_staying', staying.length)}</p>
          <ul className="staying">
            {staying.map(({ server_id, name, why }) => (
              <li key={server_id}>
                <a className="link" href={link(`/servers/manage/${server_id}`)}>
                  <bdi>{name}</bdi>
                </a>
                <p className="meta">{why}</p>
              </li>
            ))}
          </ul>
        </div>
      )}
      {moving > 0 && (
        <a className="link" href={link('/servers/admin/moves')}>
          {t('nodes.empty_watch')}
        </a>
      )}
    </>
  );
}
