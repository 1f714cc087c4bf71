import { useStore } from '@nanostores/react';
import type { ReactNode } from 'react';
import type { MessageKey } from '#content/keys.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { $preferences } from '../../shared/preferences.store.ts';
import { useAddress } from '../../shared/use-address.ts';
import { $samples } from '../core/panel.store.ts';
import { cpuTop, type Point, profile, type Sample, share, warn_share } from '../core/stats.ts';
import { inUnit } from './size-unit.ts';

const gb = 1024;
const width = 280;
const height = 48;

/** Current CPU, memory, storage and players, the first two with a graph of the last minute. */
export function ResourceUsage({ server }: { server: ServerView }) {
  const labels = useMessages();
  const { t, count, number } = labels;
  const samples = useStore($samples);
  const isOn = hasProcess(server.state);
  const now = isOn ? samples.at(-1) : undefined;
  const none = t(whyNone(server.state));
  const cores = server.cpu_millis / 1000;
  const cpuShare = (sample: Sample) => share(sample.cpu_percent, cores * 100);
  const ramShare = (sample: Sample) => share(sample.ram_mb, sample.ram_limit_mb);
  const points = (of: (sample: Sample) => number) =>
    isOn ? samples.map((sample) => ({ at: sample.at, value: of(sample) })) : [];
  const disk = samples.at(-1);
  const amount = (mb: number, digits: number) => {
    const { size, unit } = inUnit(mb);
    return { value: number(size, unit === 'servers.gb' ? digits : 0), unit: ` ${t(unit)}` };
  };
  const percent = (part: number) => ({ value: number(part * 100, 1), unit: '%' });
  const { address, hidden } = useAddress(server);
  const isShare = useStore($preferences, { ssr: 'initial' })?.memory_bytes === false;
  /** The invitation to join an empty server; an address is left-to-right in every language. */
  const whenEmpty = (online: number) =>
    online === 0 && address && !hidden ? t('servers.join_at', { address: `\u2066${address}\u2069` }) : '';
  return (
    <section className="cards" aria-label={t('servers.figures')}>
      <Card
        title={t('servers.cpu')}
        value={now && number(cpuShare(now) * 100, 1)}
        unit="%"
        under={now ? count('servers.cores', cores) : none}
        hot={now && cpuShare(now)}
      >
        <Profile title={t('servers.cpu')} points={points(cpuShare)} top={cpuTop(samples.map(cpuShare))} />
      </Card>
      <Card
        title={t('servers.memory')}
        {...(now && (isShare ? percent(ramShare(now)) : amount(now.ram_mb, 2)))}
        under={
          now ? t('servers.of', { most: `${number(now.ram_limit_mb / gb, 2, 0)} ${t('servers.gb')}` }) : none
        }
        hot={now && ramShare(now)}
      >
        <Profile title={t('servers.memory')} points={points(ramShare)} />
      </Card>
      <Card
        title={t('servers.storage')}
        {...(disk && amount(disk.disk_mb, 1))}
        under={
          // the process may go on running without being able to save anything
          disk && disk.disk_mb >= disk.disk_limit_mb
            ? t('servers.broken_disk_full')
            : t('servers.of', {
                most: `${number((disk?.disk_limit_mb ?? server.disk_mb) / gb, 1, 0)} ${t('servers.gb')}`,
              })
        }
        hot={disk && share(disk.disk_mb, disk.disk_limit_mb)}
      >
        <progress
          className={`meter ${disk && share(disk.disk_mb, disk.disk_limit_mb) >= warn_share ? 'warn' : ''}`}
          value={disk ? share(disk.disk_mb, disk.disk_limit_mb) : 0}
          max="1"
          aria-label={t('servers.storage')}
        />
      </Card>
      <Card
        title={t('servers.players')}
        value={now?.players ? number(now.players.online) : undefined}
        unit={now?.players ? ` / ${number(now.players.most)}` : ''}
        under={now?.players ? whenEmpty(now.players.online) : now ? t('servers.players_unknown') : none}
      />
    </section>
  );
}

/** Why there are no statistics. */
const whyNone = (state: string): MessageKey =>
  state === 'unknown'
    ? 'servers.figures_unknown'
    : hasProcess(state)
      ? 'servers.waiting_for_figures'
      : 'servers.resting';
const hasProcess = (state: string): boolean => ['running', 'starting', 'stopping'].includes(state);

interface CardProps {
  title: string;
  /** Absent while unknown. */
  value?: string | undefined;
  unit?: string;
  under: string;
  /** Share of the limit: highlighted from `warn_share` on. */
  hot?: number | undefined;
  children?: ReactNode;
}

function Card({ title, value, unit = '', under, hot, children }: CardProps) {
  const { t, number } = useMessages();
  const isHot = hot !== undefined && hot >= warn_share;
  return (
    <div className={isHot ? 'hot' : undefined}>
      <h2>{title}</h2>
      <p className="figure">
        <bdi dir={unit === '%' ? 'ltr' : undefined}>
          <b>{value ?? '–'}</b>
          {value !== undefined && <small>{unit}</small>}
        </bdi>
      </p>
      <p className="meta">
        {under}{' '}
        {isHot && <span className="share">{t('servers.percent', { number: number(hot * 100) })}</span>}
      </p>
      {children}
    </div>
  );
}

interface ProfileProps {
  title: string;
  points: readonly Point[];
  /** The value at its upper edge. */
  top?: number;
}

/** A graph of the last minute, with a text alternative. */
function Profile({ title, points, top = 1 }: ProfileProps) {
  const { t, number } = useMessages();
  const { line, area } = profile(points, width, height, top);
  const values = points.map(({ value }) => value);
  const percent = (value: number) => number(value * 100);
  const now = values.at(-1);
  const label =
    now === undefined
      ? title
      : `${title}: ${t('servers.now_percent', {
          now: percent(now),
          least: percent(Math.min(...values)),
          most: percent(Math.max(...values)),
        })}`;
  return (
    <svg
      className={now !== undefined && now >= warn_share ? 'prof hot' : 'prof'}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path className="area" d={area} />
      <path className="line" d={line} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
