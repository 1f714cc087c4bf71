import { useId, useRef } from 'react';
import type { NodeView } from '#db/nodes/view.ts';
import { type PageMessages, useMessages } from '../../text/MessagesContext.tsx';
import { regionNames } from '../checkout/region-names.ts';
import { share } from '../panel/console/stats.ts';
import { Icon } from '../shared/Icon.tsx';
import { drain } from './nodes.store.ts';

const tones = { new: '', online: 'good', degraded: 'bad', offline: 'bad' } as const;
/** The name of a region that is sold; an operator may have others. */
const regionText = (t: PageMessages['t'], id: string): string =>
  Object.hasOwn(regionNames, id) ? t(regionNames[id as keyof typeof regionNames]) : id;
const warn_share = 0.9;

/** One node: state, servers, capacity, version, and draining. */
export function Node({ node }: { node: NodeView }) {
  const { t, count, number } = useMessages();
  const { status, draining, facts, cpu_millis, ram_mb, disk_mb } = node;
  const isDraining = draining && status === 'online';
  const why = status !== 'online' ? status : draining ? 'draining' : null;
  const cores = facts.cpu_millis;
  const memory = facts.ram_mb !== undefined && facts.ram_free_mb !== undefined;
  const disk = facts.disk_mb !== undefined && facts.disk_free_mb !== undefined;
  return (
    <li>
      <div>
        <div className="row wrap">
          <h2 className="name">
            <bdi>{node.name}</bdi>
          </h2>
          <span className={isDraining ? 'badge note' : `badge ${tones[status]}`}>
            {status === 'online' && !draining ? (
              <span className="live" />
            ) : (
              <Icon name={status === 'online' ? 'wait' : 'away'} />
            )}
            {t(isDraining ? 'nodes.state_draining' : `nodes.state_${status}`)}
          </span>
        </div>
        <span className="meta">
          {count('nodes.servers_on', node.servers)}, <bdi>{regionText(t, node.region)}</bdi>,{' '}
          <bdi dir="ltr">{node.public_address}</bdi>
        </span>
        {why && <p className="why">{t(`nodes.why_${why}`)}</p>}
      </div>
      <Room
        what={t('nodes.cpu')}
        room={cpu_millis && { promised: cpu_millis.promised / 1000, most: cpu_millis.most / 1000 }}
        used={cores ? (facts.load ?? 0) : null}
        unit={t('nodes.cores')}
      />
      <Room
        what={t('nodes.memory')}
        room={ram_mb && { promised: ram_mb.promised / 1024, most: ram_mb.most / 1024 }}
        used={memory ? (facts.ram_mb! - facts.ram_free_mb!) / 1024 : null}
        unit={t('nodes.gb')}
      />
      <Room
        what={t('nodes.disk')}
        room={disk_mb && { promised: disk_mb.promised / 1024, most: disk_mb.most / 1024 }}
        used={disk ? (facts.disk_mb! - facts.disk_free_mb!) / 1024 : null}
        unit={t('nodes.gb')}
      />
      <span className="vers">
        <bdi title={t('nodes.version')}>{facts.agent_version ?? '–'}</bdi>
        {facts.disk_mode && (
          <span className="meta">
            {t(facts.disk_mode === 'image' ? 'nodes.disk_image' : 'nodes.disk_measured')}
          </span>
        )}
        <span className="meta">
          {t('nodes.ports_of', { now: number(node.ports.used), most: number(node.ports.all) })}
        </span>
      </span>
      <div className="acts">
        <Drain node={node} />
      </div>
    </li>
  );
}

interface RoomProps {
  what: string;
  room: { promised: number; most: number } | null;
  /** Null when the node does not report it. */
  used: number | null;
  unit: string;
}

/** The bar is the usage, the notch the allocated amount. */
function Room({ what, room, used, unit }: RoomProps) {
  const { t, number } = useMessages();
  if (!room) return <div className="cap" />;
  const digits = room.most < 10 ? 1 : 0;
  const values = {
    what,
    used: number(used ?? 0, digits, 0),
    promised: number(room.promised, digits, 0),
    most: `${number(room.most, digits, 0)} ${unit}`,
  };
  const label = t(used === null ? 'nodes.promised_only' : 'nodes.used_promised', values);
  const filled = share(used ?? 0, room.most);
  const notch = share(room.promised, room.most);
  return (
    <div className="cap">
      <div className="row" aria-hidden="true">
        <span className="meta">{what}</span>
        <span className="push">
          {values.promised} <span className="meta">/ {values.most}</span>
        </span>
      </div>
      <svg
        className={filled >= warn_share ? 'two warn' : 'two'}
        viewBox="0 0 100 12"
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        <rect className="ground" x="0" y="3" width="100" height="6" rx="2" />
        <rect className="fill" x="0" y="3" width={filled * 100} height="6" rx="2" />
        <rect className="notch" x={Math.min(98.5, notch * 100)} y="0" width="1.5" height="12" />
      </svg>
    </div>
  );
}

function Drain({ node }: { node: NodeView }) {
  const { t } = useMessages();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  if (node.draining)
    return (
      <button className="btn s" type="button" onClick={() => void drain(node.id, false)}>
        {t('nodes.undrain')}
      </button>
    );
  return (
    <>
      <button className="btn s quiet" type="button" onClick={() => dialog.current?.showModal()}>
        {t('nodes.drain')}
      </button>
      <dialog ref={dialog} aria-labelledby={id} data-dialog>
        <header>
          <h2 id={id}>{t('nodes.ask_drain')}</h2>
        </header>
        <div>
          <p className="dim">
            <bdi>{node.name}</bdi>: {t('nodes.ask_drain_text')}
          </p>
        </div>
        <footer>
          <button className="btn" type="button" data-closes>
            {t('nodes.cancel')}
          </button>
          <button className="btn danger" type="button" data-closes onClick={() => void drain(node.id, true)}>
            {t('nodes.drain')}
          </button>
        </footer>
      </dialog>
    </>
  );
}
