import { useStore } from '@nanostores/react';
import { Icon } from '../ui/Icon.tsx';
import { Mini } from './Mini.tsx';
import { $sample, $stale } from './sample.store.ts';
import type { SampleView } from './view.ts';

/** What the small search found: the server's answer at first, then the newest one. */
export function Sample({ first }: { first: SampleView }) {
  const { count, none, hits, more } = useStore($sample, { ssr: 'initial' }) ?? first;
  const stale = useStore($stale, { ssr: 'initial' });
  return (
    <>
      <div role="status" className="meta">
        {stale ?? count}
      </div>
      <div className="room">
        {none ? (
          <p className="meta">{none}</p>
        ) : (
          <ul className="mini">
            {hits.map((hit) => (
              <Mini key={hit.id} {...hit} />
            ))}
          </ul>
        )}
      </div>
      <div className="on">
        <a className="link row" href={more.href}>
          {more.text}
          <Icon name="on" />
        </a>
      </div>
    </>
  );
}
