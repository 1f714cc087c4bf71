import { useStore } from '@nanostores/react';
import { type ReactNode, useEffect, useState } from 'react';
import { whyNotCancelMove } from '#db/hosting/servers/moves/rules.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { $stale } from '../nodes/staff.store.ts';
import { exactTime } from '../shared/time.ts';
import type { MovesPage } from './moves.store.ts';
import { stepsOnTheWay, stepText } from './step-text.ts';

type Move = MovesPage['moves'][number];
const tones = { done: 'badge good', failed: 'badge bad', cancelled: 'badge' } as const;

/** One move: from where to where, how far it is, why it was begun and why it failed. */
export function MoveLine({ move, cancel }: { move: Move; cancel(move: Move): void }) {
  const { t, parts, link } = useMessages();
  const { step, error, why, ended } = move;
  const from = <bdi key="from">{move.from ?? t('staff_servers.removed_node')}</bdi>;
  const to = (
    <bdi key="to">{move.to ?? t(ended ? 'staff_servers.removed_node' : 'staff_servers.open_node')}</bdi>
  );
  return (
    <li>
      <div>
        <div className="row wrap">
          <h3 className="name">
            <a href={link(`/servers/manage/${move.server_id}`)}>
              <bdi>{move.server}</bdi>
            </a>
          </h3>
          {ended && <span className={tones[step as keyof typeof tones] ?? 'badge'}>{t(stepText[step])}</span>}
        </div>
        <div className="tags">
          <span>{parts<ReactNode>('staff_servers.route', { from, to })}</span>
          <span>{t(`staff_servers.why_${move.reason}`)}</span>
          <When of="staff_servers.began" at={move.created} />
          {ended && <When of="staff_servers.ended" at={ended} />}
        </div>
        {error && <p className="why">{why ?? error}</p>}
      </div>
      {!ended && <HowFar move={move} cancel={cancel} />}
    </li>
  );
}

function HowFar({ move, cancel }: { move: Move; cancel(move: Move): void }) {
  const { t, number } = useMessages();
  const isStale = useStore($stale);
  const now = stepsOnTheWay.indexOf(move.step) + 1;
  const most = stepsOnTheWay.length;
  const values = { step: t(stepText[move.step]), now: number(now), most: number(most) };
  const refused = whyNotCancelMove(move.step);
  const why = isStale ? t('nodes.lost') : refused && t('error.move_too_far');
  return (
    <>
      <div className="cap far">
        <span id={`far-${move.id}`}>{t('staff_servers.step_of', values)}</span>
        <progress className="meter" value={now} max={most} aria-labelledby={`far-${move.id}`} />
      </div>
      <div className="acts">
        <button
          className="btn s quiet"
          type="button"
          aria-disabled={why !== null}
          data-tip={why ?? undefined}
          onClick={() => cancel(move)}
        >
          {t('staff_servers.cancel_move')} <bdi className="hide">{move.server}</bdi>
        </button>
      </div>
    </>
  );
}

/** A time in the zone of the browser, which the server does not know. */
function When({ of, at }: { of: 'staff_servers.began' | 'staff_servers.ended'; at: string }) {
  const { t, formatting } = useMessages();
  const [isHere, setHere] = useState(false);
  useEffect(() => setHere(true), []);
  return <time dateTime={at}>{isHere && t(of, { time: exactTime(formatting, at) })}</time>;
}
