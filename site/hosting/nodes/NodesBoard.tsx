import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { IslandMessages } from '#content/island-messages.ts';
import type { NodeView } from '#db/hosting/nodes/view.ts';
import type { PlaneView } from '#db/hosting/planes/view.ts';
import { MessagesProvider, useMessages } from '../../platform/text/MessagesContext.tsx';
import { Empty } from '../../platform/ui/Empty.tsx';
import { later } from '../../platform/ui/later.tsx';
import { Alert } from '../shared/Alert.tsx';
import { Icon } from '../shared/Icon.tsx';
import { Node } from './Node.tsx';
import type { OpenDialog } from './node-dialogs.ts';
import { $nodes, $planes, openBoard } from './nodes.store.ts';
import { Planes } from './Planes.tsx';
import { $stale } from './staff.store.ts';

const NodeDialog = later(async () => (await import('./NodeDialog.tsx')).NodeDialog);

export interface NodesBoardProps {
  first: { nodes: readonly NodeView[]; planes: readonly PlaneView[] };
  messages: IslandMessages;
  query: string;
}

/** All nodes: state, servers, free capacity; and the control planes that their agents are connected to. */
export function NodesBoard({ first, messages, query }: NodesBoardProps) {
  return (
    <MessagesProvider {...{ messages, query }}>
      <Board first={first} />
    </MessagesProvider>
  );
}

function Board({ first }: Pick<NodesBoardProps, 'first'>) {
  const { t, count, number } = useMessages();
  const nodes = useStore($nodes, { ssr: 'initial' }) ?? first.nodes;
  const planes = useStore($planes, { ssr: 'initial' }) ?? first.planes;
  const isStale = useStore($stale);
  const [dialog, open] = useState<OpenDialog | null>(null);
  useEffect(openBoard, []);
  const sum = (of: (node: NodeView) => number) => nodes.reduce((all, node) => all + of(node), 0);
  const promised = sum(({ ram_mb }) => ram_mb?.promised ?? 0);
  const real = sum(({ ram_mb }) => ram_mb?.real ?? 0);
  const inNeed = nodes.filter(({ status }) => status !== 'online').length;
  return (
    <>
      <div className="troubles" aria-live="polite">
        {isStale && (
          <Alert tone="warn" title={t('nodes.lost')}>
            {t('nodes.lost_text')}
          </Alert>
        )}
      </div>
      <p className="board-acts">
        <button
          className="btn primary"
          type="button"
          aria-disabled={isStale}
          data-tip={isStale ? t('nodes.lost') : undefined}
          onClick={() => open({ kind: 'add' })}
        >
          <Icon name="add" />
          {t('nodes.add')}
        </button>
      </p>
      {nodes.length === 0 ? (
        <Empty title={t('nodes.no_nodes')} text={t('nodes.no_nodes_text')} />
      ) : (
        <>
          <dl className="sum">
            <div>
              <dt className="meta">{t('nodes.title')}</dt>
              <dd>
                <b>{number(nodes.length)}</b>
                <span className="meta">
                  {inNeed > 0 ? count('nodes.need_you', inNeed) : t('nodes.all_well')}
                </span>
              </dd>
            </div>
            <div>
              <dt className="meta">{t('nodes.servers')}</dt>
              <dd>
                <b>{number(sum(({ servers }) => servers))}</b>
                <span className="meta">
                  {count(
                    'nodes.running',
                    sum(({ running }) => running),
                  )}
                </span>
              </dd>
            </div>
            <div>
              <dt className="meta">{t('nodes.memory_promised')}</dt>
              <dd>
                <b>{number(real > 0 ? (promised / real) * 100 : 0)}%</b>
                <span className="meta">
                  {t('nodes.of', {
                    now: number(promised / 1024),
                    most: `${number(real / 1024)} ${t('nodes.gb')}`,
                  })}
                </span>
              </dd>
            </div>
            <div>
              <dt className="meta">{t('nodes.ports')}</dt>
              <dd>
                <b>{number(sum(({ ports }) => ports.used))}</b>
                <span className="meta">
                  {t('nodes.of', {
                    now: number(sum(({ ports }) => ports.used)),
                    most: number(sum(({ ports }) => ports.all)),
                  })}
                </span>
              </dd>
            </div>
          </dl>
          <ul className="nodes">
            {nodes.map((node) => (
              <Node key={node.id} {...{ node, open }} />
            ))}
          </ul>
          <p className="meta key">{t('nodes.key')}</p>
        </>
      )}
      <Planes planes={planes} />
      {dialog && (
        // a dialog that is replaced by the next one must not close that
        <NodeDialog dialog={dialog} open={open} done={() => open((now) => (now === dialog ? null : now))} />
      )}
    </>
  );
}
