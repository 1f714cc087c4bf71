import { useEffect, useId, useState } from 'react';
import type { NodeView } from '#db/hosting/nodes/view.ts';
import { mutate } from '../../platform/browser/mutate.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { askStaff } from '../nodes/staff.store.ts';
import { useRefusal } from '../nodes/use-refusal.ts';
import { FormDialog } from '../shared/FormDialog.tsx';
import type { DialogProps } from './server-dialogs.ts';
import { showServer } from './servers.store.ts';

/** Moves a server to another node, or to the emptiest of its region; says what is lost with it. */
export function MoveDialog({ of, done }: DialogProps) {
  const { t, count } = useMessages();
  const { problem, refused, clear } = useRefusal();
  const id = useId();
  const [op_id] = useState(() => crypto.randomUUID());
  const [to, setTo] = useState('');
  const [drops, setDrops] = useState(false);
  const nodes = useNodesFor(of);
  const { server, backups_on_node } = of;
  const submit = async () => {
    clear();
    const message = { server_id: server.id, op_id, node_id: to || null, drop_backups: drops };
    const result = await mutate({
      send: () => askStaff('server.move', message),
      refused,
      refresh: (answer) => showServer(answer.server),
      success: { title: t('staff_servers.move_started'), text: server.name },
    });
    return result.ok;
  };
  const canGo = ({ status, draining }: NodeView) => status === 'online' && !draining;
  return (
    <FormDialog
      title={t('staff_servers.move_title', { name: server.name })}
      action={t('staff_servers.move_action')}
      whyNot={backups_on_node > 0 && !drops ? t('staff_servers.drop_first') : null}
      {...{ problem, submit, done }}
    >
      <p>{t('staff_servers.move_text')}</p>
      <div className="field">
        <label htmlFor={id}>{t('staff_servers.move_to')}</label>
        <select className="in" id={id} value={to} data-first onChange={(event) => setTo(event.target.value)}>
          <option value="">{t('staff_servers.move_any')}</option>
          {nodes.map((node) => (
            <option key={node.id} value={node.id} disabled={!canGo(node)}>
              {canGo(node) ? node.name : t('staff_servers.move_unfit', { name: node.name })}
            </option>
          ))}
        </select>
      </div>
      {backups_on_node > 0 && (
        <label className="check">
          <input type="checkbox" checked={drops} onChange={(event) => setDrops(event.target.checked)} />
          <span>{count('staff_servers.drop_backups', backups_on_node)}</span>
        </label>
      )}
    </FormDialog>
  );
}

/** The other nodes of its region. */
function useNodesFor({ server, node_id }: DialogProps['of']): readonly NodeView[] {
  const [nodes, setNodes] = useState<readonly NodeView[]>([]);
  useEffect(() => {
    // without the list it can still go to the emptiest one
    void askStaff('node.list', {}).then((result) => result.ok && setNodes(result.data.nodes));
  }, []);
  return nodes.filter(({ id, region }) => id !== node_id && region === server.region);
}
