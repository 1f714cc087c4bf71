import { useStore } from '@nanostores/react';
import type { ReactNode } from 'react';
import { whyNotMake } from '#db/hosting/servers/changes/rules.ts';
import type { ChangeView } from '#db/hosting/servers/content/view.ts';
import { whyNotHave } from '#db/hosting/servers/rules.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Alert } from '../../shared/Alert.tsx';
import { useConfirm } from '../../shared/use-confirm.tsx';
import { whyNotNow } from '../core/access.ts';
import { power } from '../core/actions.ts';
import { powerQuestion } from '../Power.tsx';
import { Action } from './Action.tsx';
import { cancelChange, takeBack } from './actions.ts';
import { currentChange, failedStart, isCancellable, isEnded, needsRestart, shareDone } from './change.ts';
import { kindText, reasonText, stepText } from './change-text.ts';
import { $ownChange, $restartDue } from './content.store.ts';

interface NewsProps {
  server: ServerView;
  changes: readonly ChangeView[];
  isOpen: boolean;
}

/** What happens to the content now, and what has just happened: each says what to do next. */
export function ChangeNews({ server, changes, isOpen }: NewsProps) {
  const labels = useMessages();
  const own = useStore($ownChange);
  const { confirm, dialog } = useConfirm();
  const current = currentChange(changes);
  const broken = failedStart(changes);
  const last = changes.find(({ id }) => id === own);
  const shown = current === null && last && isEnded(last) && last.id !== broken?.id ? last : null;
  const lostFor = ({ kind }: ChangeView) =>
    whyNotNow(labels, isOpen, whyNotMake({ kind, content: {}, erase: false }));
  const whyNotRestart = whyNotNow(labels, isOpen, whyNotHave.power);
  const isDue = useStore($restartDue) && server.state === 'running';
  // one bar says what was done and what it takes, with both buttons
  const isToldOfRestart = shown?.step === 'done' && needsRestart(shown);
  const restart = isDue && (
    <Action
      className="btn"
      whyNot={whyNotRestart}
      act={() => confirm(powerQuestion(labels, 'restart', () => void power('restart')))}
    >
      {labels.t('servers.power_restart')}
    </Action>
  );
  return (
    <div className="news" aria-live="polite">
      {current && <Going change={current} lost={lostFor(current)} />}
      {!current && broken && <Broken change={broken} lost={lostFor(broken)} />}
      {shown && (
        <Ended
          change={shown}
          lost={lostFor(shown)}
          isRunning={server.state === 'running'}
          restart={isToldOfRestart && restart}
        />
      )}
      {restart && !isToldOfRestart && (
        <Alert tone="note" title={labels.t('server_content.restart_title')} action={restart}>
          {labels.t('server_content.restart_due')}
        </Alert>
      )}
      {dialog}
    </div>
  );
}

interface OneProps {
  change: ChangeView;
  /** Why nothing can be asked for now. */
  lost: string | null;
}

function Going({ change, lost }: OneProps) {
  const { t, count, number } = useMessages();
  const share = shareDone(change);
  const what = count(kindText(change), change.count);
  return (
    <div className="say note going">
      <b>{what}</b>
      <p>
        {t(stepText(change))}{' '}
        {share !== null && t('servers.percent', { number: number(Math.floor(share * 100)) })}
      </p>
      <progress className="meter go" max="1" value={share ?? undefined} aria-label={what} />
      {isCancellable(change) && (
        <Action
          className="btn s"
          busy={`cancel ${change.id}`}
          whyNot={lost}
          act={() => void cancelChange(change.id)}
        >
          {t('servers.cancel')}
        </Action>
      )}
    </div>
  );
}

function Broken({ change, lost }: OneProps) {
  const { t, count } = useMessages();
  return (
    <Alert
      tone="bad"
      title={t('server_content.start_failed')}
      action={change.undoable && <TakeBack change={change} lost={lost} isPrimary />}
    >
      {t('server_content.start_failed_text', { change: count(kindText(change), change.count) })}
    </Alert>
  );
}

interface EndedProps extends OneProps {
  isRunning: boolean;
  /** The button that loads what was changed, when that is due. */
  restart: ReactNode;
}

function Ended({ change, lost, isRunning, restart }: EndedProps) {
  const labels = useMessages();
  const { t, count } = labels;
  const what = count(kindText(change), change.count);
  if (change.step === 'done')
    return (
      <Alert
        tone="good"
        title={t('server_content.done', { change: what })}
        action={
          <span className="row">
            {change.undoable && <TakeBack change={change} lost={lost} />}
            {restart}
          </span>
        }
      >
        {isRunning && needsRestart(change) ? t('server_content.restart_due') : t('server_content.done_text')}
      </Alert>
    );
  if (change.step === 'failed')
    return (
      <Alert tone="bad" title={t('server_content.change_failed', { change: what })}>
        {change.error && reasonText(labels, change.error)} {t('server_content.as_before')}
      </Alert>
    );
  return (
    <Alert
      tone="note"
      title={t(
        change.step === 'cancelled' ? 'server_content.change_cancelled' : 'server_content.change_undone',
        { change: what },
      )}
    >
      {t('server_content.as_before')}
    </Alert>
  );
}

function TakeBack({ change, lost, isPrimary = false }: OneProps & { isPrimary?: boolean }) {
  const { t } = useMessages();
  return (
    <Action
      className={isPrimary ? 'btn primary' : 'btn'}
      busy={`undo ${change.id}`}
      whyNot={lost}
      act={() => void takeBack(change.id)}
    >
      {t('server_content.take_back')}
    </Action>
  );
}
