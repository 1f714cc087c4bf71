import type { NodeView } from '#db/hosting/nodes/view.ts';
import { type PageMessages, useMessages } from '../../platform/text/MessagesContext.tsx';
import { regionNames } from '../checkout/region-names.ts';
import { share } from '../panel/core/stats.ts';
import { Icon } from '../shared/Icon.tsx';
import { RelativeTime } from '../shared/RelativeTime.tsx';
import { DiskWarnings } from './DiskWarnings.tsx';
import { NodeActions } from './NodeActions.tsx';
import type { OpensDialog } from './node-dialogs.ts';

const tones = { new: '', online: 'good', degraded: 'bad', offline: 'bad' } as const;
/** The name of a region that is sold; an operator may have others. */
const regionText = (t: PageMessages['t'], id: string): string =>
  Object.hasOwn(regionNames, id) ? t(regionNames[id as keyof typeof regionNames]) : id;
const warn_share = 0.9;

/** One node: state, servers, capacity, version, and what staff do with it. */
export function Node({ node, open }: { node: NodeView; open: OpensDialog }) {
  const { t, count, number, link } = useMessages();
  const { status, draining, facts, cpu_millis, ram_mb, disk_mb, ports, overcommit } = node;
  const isDraining = draining && status === 'online';
  const why = status !== 'online' ? status : draining ? 'draining' : null;
  const used = (all: number | undefined, free: number | undefined) =>
    all === undefined || free === undefined ? null : (all - free) / 1024;
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
        <div className="tags">
          <span>
            <a className="link" href={link(`/servers/admin/servers?node=${node.id}`)}>
              {count('nodes.servers_on', node.servers)}
            </a>
          </span>
          <bdi>{regionText(t, node.region)}</bdi>
          <bdi dir="ltr">{node.public_address}</bdi>
          <span>{t('nodes.ports_of', { now: number(ports.used), most: number(ports.all) })}</span>
          {facts.agent_version && <span>{t('nodes.agent', { version: facts.agent_version })}</span>}
          {facts.disk_mode && (
            <span>{t(facts.disk_mode === 'image' ? 'nodes.disk_image' : 'nodes.disk_measured')}</span>
          )}
          {facts.firewall === false && <span className="warn">{t('nodes.firewall_off')}</span>}
          {overcommit !== 1 && <span>{t('nodes.overcommit', { number: number(overcommit, 2, 0) })}</span>}
        </div>
        {why && (
          <p className="why">
            {t(`nodes.why_${why}`)}{' '}
            {status === 'offline' && node.last_seen && <RelativeTime since={node.last_seen} />}
          </p>
        )}
        <DiskWarnings facts={facts} />
      </div>
      <Room
        what={t('nodes.cpu')}
        room={inUnits(cpu_millis, 1000)}
        used={facts.cpu_millis ? (facts.load ?? 0) : null}
        unit={t('nodes.cores')}
      />
      <Room
        what={t('nodes.memory')}
        room={inUnits(ram_mb, 1024)}
        used={used(facts.ram_mb, facts.ram_free_mb)}
        unit={t('nodes.gb')}
      />
      <Room
        what={t('nodes.disk')}
        room={inUnits(disk_mb, 1024)}
        used={used(facts.disk_mb, facts.disk_free_mb)}
        unit={t('nodes.gb')}
      />
      <NodeActions {...{ node, open }} />
    </li>
  );
}

const inUnits = (room: NodeView['ram_mb'], unit: number): RoomProps['room'] =>
  room && { promised: room.promised / unit, real: room.real / unit };

interface RoomProps {
  what: string;
  /** What is allocated, and what the machine has. */
  room: { promised: number; real: number } | null;
  /** Null when the node does not report it. */
  used: number | null;
  unit: string;
}

/** The bar is the usage, the notch the allocated amount. */
function Room({ what, room, used, unit }: RoomProps) {
  const { t, number } = useMessages();
  if (!room) return <div className="cap" />;
  const digits = room.real < 10 ? 1 : 0;
  const allocated = {
    promised: number(room.promised, digits, 0),
    most: `${number(room.real, digits, 0)} ${unit}`,
  };
  const values = { what, used: number(used ?? 0, digits, 0), ...allocated };
  const label = t(used === null ? 'nodes.promised_only' : 'nodes.used_promised', values);
  const filled = share(used ?? 0, room.real);
  const notch = share(room.promised, room.real);
  return (
    <div className="cap">
      <div aria-hidden="true">
        <span className="meta">{what}</span>
        <span>{t('nodes.allocated', allocated)}</span>
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
