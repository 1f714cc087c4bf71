import { useStore } from '@nanostores/react';
import { whyNotGiveUpNode, whyNotRemoveNode } from '#db/hosting/nodes/rules.ts';
import type { NodeView } from '#db/hosting/nodes/view.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { Menu, MenuItem, MenuLine } from '../../platform/ui/Menu.tsx';
import { Icon } from '../shared/Icon.tsx';
import { useConfirm } from '../shared/use-confirm.tsx';
import type { OpensDialog } from './node-dialogs.ts';
import { drain } from './nodes.store.ts';
import { $stale } from './staff.store.ts';

interface Props {
  node: NodeView;
  open: OpensDialog;
}

/** What staff do with a node: draining, and the rest in a menu. */
export function NodeActions({ node, open }: Props) {
  const { t, number } = useMessages();
  const lost = useStore($stale) ? t('nodes.lost') : null;
  const left = node.servers + node.copies;
  const whyNotRemove = whyNotRemoveNode(node) && t('error.node_not_empty', { servers: number(left) });
  const whyNotGiveUp = whyNotGiveUpNode(node) && t('error.node_online');
  return (
    <div className="acts">
      <Drain node={node} lost={lost} />
      <Menu
        look="btn quiet s icon"
        label={t('servers.more_of', { name: node.name })}
        button={<Icon name="more" />}
      >
        <MenuItem whyNot={lost} act={() => open({ kind: 'empty', node })} icon={<Icon name="up" />}>
          {t('nodes.empty')}
        </MenuItem>
        <MenuItem whyNot={lost} act={() => open({ kind: 'rejoin', node })} icon={<Icon name="command" />}>
          {t('nodes.rejoin')}
        </MenuItem>
        <MenuItem whyNot={lost} act={() => open({ kind: 'rotate', node })} icon={<Icon name="restart" />}>
          {t('nodes.rotate')}
        </MenuItem>
        <MenuLine />
        <MenuItem
          whyNot={lost ?? whyNotGiveUp}
          act={() => open({ kind: 'give_up', node })}
          icon={<Icon name="away" />}
          isBad
        >
          {t('nodes.give_up')}
        </MenuItem>
        <MenuItem
          whyNot={lost ?? whyNotRemove}
          act={() => open({ kind: 'remove', node })}
          icon={<Icon name="remove" />}
          isBad
        >
          {t('nodes.remove')}
        </MenuItem>
      </Menu>
    </div>
  );
}

function Drain({ node, lost }: { node: NodeView; lost: string | null }) {
  const { t } = useMessages();
  const { confirm, dialog } = useConfirm();
  const { id, name, draining } = node;
  const ask = () =>
    confirm({
      title: t('nodes.ask_drain'),
      text: `${name}: ${t('nodes.ask_drain_text')}`,
      action: t('nodes.drain'),
      act: () => void drain(id, true),
    });
  return (
    <>
      <button
        className={draining ? 'btn s' : 'btn s quiet'}
        type="button"
        aria-disabled={lost !== null}
        data-tip={lost ?? undefined}
        onClick={draining ? () => void drain(id, false) : ask}
      >
        {t(draining ? 'nodes.undrain' : 'nodes.drain')} <bdi className="hide">{name}</bdi>
      </button>
      {dialog}
    </>
  );
}
