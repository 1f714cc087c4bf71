import { useStore } from '@nanostores/react';
import { type PowerAction, whyNotPower } from '#db/servers/rules.ts';
import type { ServerView } from '#db/servers/view.ts';
import { useMessages } from '../../text/MessagesContext.tsx';
import { isOn, powerQuestion } from '../panel/Power.tsx';
import { ServerMenu } from '../panel/ServerMenu.tsx';
import { SetupError } from '../panel/SetupError.tsx';
import { Badge } from '../shared/Badge.tsx';
import type { Confirmation } from '../shared/ConfirmDialog.tsx';
import { CrashCause } from '../shared/CrashCause.tsx';
import { Icon } from '../shared/Icon.tsx';
import { RelativeTime } from '../shared/RelativeTime.tsx';
import { refusalText } from '../shared/refusal-text.ts';
import { ServerGlyph } from '../shared/ServerGlyph.tsx';
import { factsOf, startsLater, stateView, whileActing, willRestart } from '../shared/state.ts';
import { useAddress } from '../shared/use-address.ts';
import { Figure } from './Figure.tsx';
import { $pendingActions, $stale, powerOf } from './list.store.ts';

/** One server: name, state, the reason when it is not simply running, and the most common action. */
export function ServerLine({ server, ask }: { server: ServerView; ask(question: Confirmation): void }) {
  const { t, link } = useMessages();
  const { name, loader, game_version, lifecycle, crash } = server;
  const { reason } = stateView(server);
  const { address, hidden } = useAddress(server);
  const acting = useStore($pendingActions)[server.id] ?? null;
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
          <Badge server={whileActing(server, acting)} />
        </div>
        <div className="tags">
          <bdi>{game_version}</bdi>
          {loader && <bdi>{loader}</bdi>}
          {address && !hidden && (
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
        {server.state === 'crashed' && crash && (
          <p className="why">
            <CrashCause crash={crash} />{' '}
            {crash.held ? t('servers.crash_held') : willRestart(server) && t('servers.restarting')}
          </p>
        )}
      </div>
      <Figure server={server} />
      <div className="acts">
        <Act server={server} acting={acting} ask={ask} />
        <ServerMenu server={server} label={t('servers.more_of', { name })} />
      </div>
    </li>
  );
}

interface ActProps {
  server: ServerView;
  acting: PowerAction | null;
  ask(question: Confirmation): void;
}

function Act({ server, acting, ask }: ActProps) {
  const labels = useMessages();
  const { t } = labels;
  const isStale = useStore($stale);
  const action = isOn(server.state) ? 'stop' : 'start';
  const code = startsLater(server) ? null : whyNotPower(factsOf(server), action);
  const why = isStale
    ? t('servers.line_lost')
    : acting
      ? t('servers.locked')
      : startsLater(server)
        ? t('servers.why_starts_later')
        : code && refusalText(labels, { error: code, description: t('servers.why_broken') });
  const act = () => void powerOf(server.id, action);
  return (
    <button
      className="btn s"
      type="button"
      aria-label={`${t(`servers.power_${action}`)}: ${server.name}`}
      aria-busy={acting !== null}
      aria-disabled={why !== null}
      data-tip={why ?? undefined}
      onClick={() => (action === 'start' ? act() : ask(powerQuestion(labels, 'stop', act)))}
    >
      {!acting && <Icon name={action} />}
      {t(`servers.power_${action}`)}
    </button>
  );
}
