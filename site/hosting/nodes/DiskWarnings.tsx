import type { NodeView } from '#db/hosting/nodes/view.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { type DiskWarning, diskWarnings } from './disk-warnings.ts';

/** Where the disk of a node has no hard limits, or no room: what that means, with the way to mend it. */
export function DiskWarnings({ facts }: Pick<NodeView, 'facts'>) {
  const { t, count, link } = useMessages();
  const textOf = (one: DiskWarning): string =>
    one.text === 'nodes.disk_old' ? count(one.text, one.count) : t(one.text);
  return diskWarnings(facts).map((one) => (
    <p className="why warn" key={one.text}>
      {textOf(one)}{' '}
      {'why' in one && one.why !== null && (
        <>
          <bdi translate="no">({one.why})</bdi>{' '}
        </>
      )}
      <a className="link" href={link('/docs/operators/nodes#disk-limits')}>
        {t('nodes.disk_help')}
      </a>
    </p>
  ));
}
