import { useStore } from '@nanostores/react';
import { whyNotPower } from '#db/servers/rules.ts';
import type { ServerView } from '#db/servers/view.ts';
import { useMessages } from '../../text/MessagesContext.tsx';
import { isOn, powerQuestion } from '../panel/Power.tsx';
import { SetupError } from '../panel/SetupError.tsx';
import { Badge } from '../shared/Badge.tsx';
import type { Confirmation } from '../shared/ConfirmDialog.tsx';
import { Icon } from '../shared/Icon.tsx';
import { RelativeTime } from '../shared/RelativeTime.tsx';
import { refusalText } from '../shared/refusal-text.ts';
import { ServerGlyph } from '../shared/ServerGlyph.tsx';
import { addressText, factsOf, planText, startsLater, stateView } from '../shared/state.ts';
import { $pendingAction, $stale, powerOf } from './list.store.ts';

/** One server: name, state, the reason when it is not simply running, and the most common action. */
export function ServerLine({ server, ask }: { server: ServerView; ask(question: Confirmation): void }) {
  const { t, number, link } = useMessages();
  const { name, loader, game_version, lifecycle, ram_mb, plan } = server;
  const { reason } = stateView(server);
  const address = addressText(server);
  const planName = planText(plan);
  return (
    <li className={lifecycle === 'ready' ? undefined : 'faint'}>
      <ServerGlyph id={server.id} />
      <div>
        <div className="row wrap">
          <h2 className="name">
            <a href={link(`/servers/manage/${server.id}`)}>
              <bdi>{name}</bdi>
            </a>
          </h2>
          <Badge server={server} />
        </div>
        <div className="tags">
          <bdi>{game_version}</bdi>
          {loader && <bdi>{loader}</bdi>}
          {address && (
            <bdi className="mono" dir="ltr">
              {address}
            </bdi>
          )}
        </div>
        {reason && (
          <p className="why">
            {t(reason)} {startsLater(server) && t('servers.why_starts_later')}{' '}
            {lifecycle === 'broken' && <SetupError server={server} />}
            {server.state === 'unknown' && server.last_seen && <RelativeTime since={server.last_seen} />}
          </p>
        )}
      </div>
      <span className="fig">
        <b>{t('servers.memory_size', { number: number(ram_mb / 1024) })}</b>
        <span className="meta">{planName ? t(planName) : <bdi>{plan}</bdi>}</span>
      </span>
      <div className="acts">
        <Act server={server} ask={ask} />
      </div>
    </li>
  );
}

function Act({ server, ask }: { server: ServerView; ask(question: Confirmation): void }) {
  const labels = useMessages();
  const { t } = labels;
  const isActing = useStore($pendingAction).includes(server.id);
  const isStale = useStore($stale);
  const action = isOn(server.state) ? 'stop' : 'start';
  const code = startsLater(server) ? null : whyNotPower(factsOf(server), action);
  const why = isStale
    ? t('servers.line_lost')
    : startsLater(server)
      ? t('servers.why_starts_later')
      : code && refusalText(labels, { error: code, description: t('servers.why_broken') });
  const act = () => void powerOf(server.id, action);
  return (
    <button
      className="btn s"
      type="button"
      aria-label={`${t(`servers.power_${action}`)}: ${server.name}`}
      aria-busy={isActing}
      aria-disabled={why !== null}
      data-tip={why ?? undefined}
      onClick={() => (action === 'start' ? act() : ask(powerQuestion(labels, 'stop', act)))}
    >
      {!isActing && <Icon name={action} />}
      {t(`servers.power_${action}`)}
    </button>
  );
}
