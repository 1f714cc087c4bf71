import { useStore } from '@nanostores/react';
import { type PowerAction, whyNotHave, whyNotPower } from '#db/hosting/servers/rules.ts';
import type { ServerView, SharedServer } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { refusalFor } from '../panel/core/access.ts';
import { isOn, powerQuestion } from '../panel/Power.tsx';
import type { PaidTime } from '../panel/paid-time.ts';
import { ServerMenu } from '../panel/ServerMenu.tsx';
import { SetupError } from '../panel/SetupError.tsx';
import { Badge } from '../shared/Badge.tsx';
import { CrashCause } from '../shared/CrashCause.tsx';
import { Icon } from '../shared/Icon.tsx';
import { loaderName } from '../shared/loader-name.ts';
import { RelativeTime } from '../shared/RelativeTime.tsx';
import { refusalText } from '../shared/refusal-text.ts';
import { ServerGlyph } from '../shared/ServerGlyph.tsx';
import { SupportLink } from '../shared/SupportLink.tsx';
import { SuspendedUntil } from '../shared/SuspendedUntil.tsx';
import { factsOf, startsLater, stateView, whileActing, willRestart } from '../shared/state.ts';
import { useAddress } from '../shared/use-address.ts';
import type { Confirmation } from '../shared/use-confirm.tsx';
import { Figure } from './Figure.tsx';
import { $pendingActions, $stale, powerOf } from './list.store.ts';
import { PaidLine } from './PaidLine.tsx';

interface ServerLineProps {
  server: ServerView;
  /** What is to know of one of somebody else; undefined for the user's own. */
  shared: SharedServer | undefined;
  /** What is paid for it; null for one of somebody else. */
  paid: PaidTime | null;
  ask(question: Confirmation): void;
}

/** One server: name, state, the reason when it is not simply running, and the most common action. */
export function ServerLine({ server, shared, paid, ask }: ServerLineProps) {
  const labels = useMessages();
  const { t, link } = labels;
  const { name, loader, game_version, lifecycle, crash } = server;
  const { reason } = stateView(server);
  const { address, hidden } = useAddress(server);
  const acting = useStore($pendingActions)[server.id] ?? null;
  return (
    <li className={lifecycle === 'ready' ? undefined : 'faint'}>
      <ServerGlyph id={server.id} icon={server.icon} />
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
          {shared && <span>{t('servers.shared_by', { name: `\u2068${shared.owner}\u2069` })}</span>}
          <bdi>{game_version}</bdi>
          <bdi>{loaderName(labels, loader)}</bdi>
          {address && !hidden && (
            <bdi className="mono" dir="ltr">
              {address}
            </bdi>
          )}
        </div>
        {reason && (
          <p className="why">
            {t(reason)} <SuspendedUntil server={server} /> <SupportLink server={server} />{' '}
            {startsLater(server) && t('servers.why_starts_later')}{' '}
            {lifecycle === 'broken' && <SetupError server={server} />}
            {server.state === 'unknown' && server.last_seen && <RelativeTime since={server.last_seen} />}
          </p>
        )}
        {paid && <PaidLine id={server.id} paid={paid} />}
        {server.state === 'crashed' && crash && (
          <p className="why">
            <CrashCause crash={crash} />{' '}
            {crash.held ? t('servers.crash_held') : willRestart(server) && t('servers.restarting')}
          </p>
        )}
      </div>
      <Figure server={server} />
      <div className="acts">
        <Act {...{ server, shared, acting, ask }} />
        <ServerMenu server={server} isOwner={!shared} label={t('servers.more_of', { name })} />
      </div>
    </li>
  );
}

interface ActProps extends Omit<ServerLineProps, 'paid'> {
  acting: PowerAction | null;
}

function Act({ server, shared, acting, ask }: ActProps) {
  const labels = useMessages();
  const { t } = labels;
  const isStale = useStore($stale);
  const action = isOn(server.state) ? 'stop' : 'start';
  const lacks = shared ? refusalFor({ owner: false, rights: shared.rights }, whyNotHave.power) : null;
  const code = lacks ?? (startsLater(server) ? null : whyNotPower(factsOf(server), action));
  const why = isStale
    ? t('servers.line_lost')
    : acting
      ? t('servers.locked')
      : startsLater(server) && !lacks
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
