import { useEffect, useId, useState } from 'react';
import { whyNotRestoreTo } from '#db/hosting/servers/backups/rules.ts';
import type { BackupView } from '#db/hosting/servers/backups/view.ts';
import { whyNotOperate } from '#db/hosting/servers/rules.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { FormDialog } from '../../shared/FormDialog.tsx';
import { Icon } from '../../shared/Icon.tsx';
import type { Result } from '../../shared/request.ts';
import { factsOf, stopsFirst } from '../../shared/state.ts';
import { exactTime } from '../../shared/time.ts';
import { requestFromPanel } from '../core/open-panel.ts';
import { refusalIn, restoreBackup } from './actions.ts';
import { MadeWith, Size } from './BackupFacts.tsx';

interface RestoreDialogProps {
  backup: BackupView;
  server: ServerView;
  /** Whether a backup made before fits: automated ones may go for it. */
  fits: boolean;
  whyNot: string | null;
  done(): void;
}

/** Restores a backup: says what is lost, to which server it goes, and makes a backup of the state before unless told not to. */
export function RestoreDialog({ backup, server, fits, whyNot, done }: RestoreDialogProps) {
  const labels = useMessages();
  const { t, parts, count, formatting } = labels;
  const id = useId();
  const [op_id] = useState(() => crypto.randomUUID());
  const { servers, players } = useOwnServers(server, backup);
  const [to, setTo] = useState(server.id);
  const [hasSafety, setSafety] = useState(true);
  const [problem, setProblem] = useState<readonly [string, string] | null>(null);
  const target = servers.find((one) => one.id === to) ?? server;
  const isHere = target.id === server.id;
  const stops = stopsFirst(target);
  const online = players[target.id]?.online;
  const isFull = isHere && hasSafety && !fits;
  const submit = () => {
    setProblem(null);
    const elsewhere = isHere ? {} : { to: target.id };
    const restore = { op_id, backup_id: backup.id, ...elsewhere, safety: hasSafety, stop: stops };
    return restoreBackup(restore, (error) => {
      setProblem([t('backup.restore_failed'), refusalIn(labels, error)]);
      return true;
    });
  };
  return (
    <FormDialog
      title={t('backup.restore_title')}
      action={t(stops ? 'backup.stop_and_restore' : 'backup.restore')}
      danger
      whyNot={whyNot ?? (isFull ? t('backup.safety_full') : null)}
      {...{ problem, submit, done }}
    >
      <p>
        {parts('backup.restore_text', {
          server: <bdi key="server">{target.name}</bdi>,
          backup: <bdi key="backup">{backup.name}</bdi>,
          time: (
            <time key="time" dateTime={backup.created}>
              {exactTime(formatting, backup.created)}
            </time>
          ),
        })}
      </p>
      <dl className="facts">
        <dt>{t('backup.size')}</dt>
        <dd>
          <Size backup={backup} />
        </dd>
        <dt>{t('backup.made_with')}</dt>
        <dd>
          <MadeWith backup={backup} now={target} />
        </dd>
      </dl>
      {servers.length > 1 && (
        <div className="field">
          <label htmlFor={id}>{t('backup.restore_to')}</label>
          <select className="in" id={id} value={to} onChange={(event) => setTo(event.target.value)}>
            {servers.map((one) => (
              <option key={one.id} value={one.id}>
                {one.id === server.id ? t('backup.this_server', { name: one.name }) : one.name}
              </option>
            ))}
          </select>
        </div>
      )}
      <div className="first">
        <label className="check">
          <input
            type="checkbox"
            checked={hasSafety}
            aria-describedby={`${id}-safety`}
            onChange={(event) => setSafety(event.target.checked)}
          />
          <span>{t('backup.safety')}</span>
        </label>
        <span className={isFull ? 'hint bad' : 'hint'} id={`${id}-safety`}>
          {t(isFull ? 'backup.safety_full' : hasSafety ? 'backup.safety_text' : 'backup.safety_off')}
        </span>
      </div>
      <div aria-live="polite">
        {stops && (
          <div className="say warn">
            <Icon name="warn" />
            <b>{t('backup.stops')}</b>
            <p>
              {t('backup.stops_text')} {online ? count('backup.playing', online) : ''}
            </p>
          </div>
        )}
      </div>
    </FormDialog>
  );
}

/** What the rule of a restore to another server knows; all of the list are of the same owner. */
const placeOf = ({ node, kind, disk_mb }: ServerView) => ({ owner_id: '', node_id: node, kind, disk_mb });

/** The servers of the owner that a backup can go to, this one first, and how many play on each. */
function useOwnServers(server: ServerView, backup: Pick<BackupView, 'target'>) {
  const [{ servers, shared, players }, setOwn] = useState<Result<'server.list'>>({
    servers: [],
    shared: {},
    players: {},
  });
  useEffect(() => {
    // without the list it can still be restored here
    void requestFromPanel('server.list', {}).then((result) => result.ok && setOwn(result.data));
  }, []);
  const isMine = (one: ServerView) => !Object.hasOwn(shared, one.id);
  const fits = (one: ServerView) =>
    one.id !== server.id &&
    isMine(one) &&
    isMine(server) &&
    whyNotOperate(factsOf(one)) === null &&
    whyNotRestoreTo(placeOf(server), placeOf(one), backup) === null;
  return { servers: [server, ...servers.filter(fits)], players };
}
