import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import type { NodeView } from '#db/nodes/view.ts';
import { Empty } from '../../ui/Empty.tsx';
import { Alert } from '../shared/Alert.tsx';
import { boardMessages } from './board-messages.ts';
import type { BoardTexts } from './message-keys.ts';
import { Node } from './Node.tsx';
import { $nodes, $refused, $stale, openBoard } from './nodes.store.ts';

export interface NodesBoardProps {
  first: readonly NodeView[];
  texts: BoardTexts;
}

/** All nodes: state, servers, free capacity. */
export function NodesBoard({ first, texts }: NodesBoardProps) {
  const labels = boardMessages(texts);
  const { t, count, number, fill } = labels;
  const nodes = useStore($nodes, { ssr: 'initial' }) ?? first;
  const isStale = useStore($stale);
  const refused = useStore($refused);
  useEffect(openBoard, []);
  const sum = (of: (node: NodeView) => number) => nodes.reduce((all, node) => all + of(node), 0);
  const promised = sum(({ ram_mb }) => ram_mb?.promised ?? 0);
  const max = sum(({ ram_mb }) => ram_mb?.most ?? 0);
  const inNeed = nodes.filter(({ status }) => status !== 'online').length;
  return (
    <>
      <div className="troubles" aria-live="polite">
        {isStale && (
          <Alert tone="warn" title={t('hosting_admin.lost')}>
            {t('hosting_admin.lost_text')}
          </Alert>
        )}
        {refused && (
          <Alert tone="bad" title={refused}>
            {null}
          </Alert>
        )}
      </div>
      {nodes.length === 0 ? (
        <Empty title={t('hosting_admin.no_nodes')} text={t('hosting_admin.no_nodes_text')}>
          <code translate="no">cairn node add --help</code>
        </Empty>
      ) : (
        <>
          <dl className="sum">
            <div>
              <dt className="meta">{t('hosting_admin.nodes')}</dt>
              <dd>
                <b>{number(nodes.length)}</b>
                <span className="meta">
                  {inNeed > 0 ? count('hosting_admin.need_you', inNeed) : t('hosting_admin.all_well')}
                </span>
              </dd>
            </div>
            <div>
              <dt className="meta">{t('hosting_admin.servers')}</dt>
              <dd>
                <b>{number(sum(({ servers }) => servers))}</b>
                <span className="meta">
                  {count(
                    'hosting_admin.running',
                    sum(({ running }) => running),
                  )}
                </span>
              </dd>
            </div>
            <div>
              <dt className="meta">{t('hosting_admin.memory_promised')}</dt>
              <dd>
                <b>{number(max > 0 ? (promised / max) * 100 : 0)}%</b>
                <span className="meta">
                  {fill('hosting_admin.of', {
                    now: number(promised / 1024),
                    most: `${number(max / 1024)} ${t('hosting_admin.gb')}`,
                  })}
                </span>
              </dd>
            </div>
            <div>
              <dt className="meta">{t('hosting_admin.ports')}</dt>
              <dd>
                <b>{number(sum(({ ports }) => ports.used))}</b>
                <span className="meta">
                  {fill('hosting_admin.of', {
                    now: number(sum(({ ports }) => ports.used)),
                    most: number(sum(({ ports }) => ports.all)),
                  })}
                </span>
              </dd>
            </div>
          </dl>
          <ul className="nodes">
            {nodes.map((node) => (
              <Node key={node.id} node={node} words={labels} />
            ))}
          </ul>
          <p className="meta key">{t('hosting_admin.key')}</p>
        </>
      )}
    </>
  );
}
