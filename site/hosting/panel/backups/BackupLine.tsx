import { useStore } from '@nanostores/react';
import type { ReactNode } from 'react';
import type { MessageKey } from '#content/keys.ts';
import { isInProgress } from '#db/hosting/servers/backups/rules.ts';
import type { BackupView } from '#db/hosting/servers/backups/view.ts';
import { sizeText } from '../../../platform/text/bytes.ts';
import { type PageMessages, useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Created } from '../../shared/Created.tsx';
import { loaderName } from '../../shared/loader-name.ts';
import { BackupActions, type Opens } from './BackupActions.tsx';
import { BackupIcon } from './BackupIcon.tsx';
import { $lastWork } from './backups.store.ts';
import { failureText, stateViews } from './state.ts';
import { Work } from './Work.tsx';
import { isDeletable } from './why-not.ts';

interface BackupLineProps {
  backup: BackupView;
  /** Why nothing can be done on the node now. */
  whyNot: string | null;
  /** Why it cannot be downloaded now. */
  whyNotDownloadBackup: string | null;
  isOpen: boolean;
  isChosen: boolean;
  choose(isChosen: boolean): void;
  open: Opens;
}

/** One backup: what it is, how far it is, what can be done with it. */
export function BackupLine({ backup, isChosen, choose, ...rest }: BackupLineProps) {
  const labels = useMessages();
  const { t } = labels;
  const { name, state, bytes } = backup;
  const { tone, icon, text } = stateViews[state];
  const mark = tone === 'rest' ? 'mk' : `mk ${tone}`;
  return (
    <li data-state={state}>
      <label className="check box" data-tip={isDeletable(backup) ? undefined : t('backup.not_selectable')}>
        <input
          type="checkbox"
          aria-label={t('backup.select', { name })}
          checked={isChosen}
          disabled={!isDeletable(backup)}
          onChange={(event) => choose(event.target.checked)}
        />
      </label>
      <span className={mark}>
        <BackupIcon name={icon} />
      </span>
      <div className="about">
        <div className="row wrap">
          <h3 className="name">
            <bdi>{name}</bdi>
          </h3>
          {state !== 'done' && <span className={tone === 'rest' ? 'badge' : `badge ${tone}`}>{t(text)}</span>}
          {backup.locked && <Badge icon="locked">{t('backup.locked')}</Badge>}
          {backup.reason === 'export' && <span className="badge">{t('backup.exported')}</span>}
          {backup.automated && (
            <Badge icon="automated">
              {t(backup.reason === 'safety' ? 'backup.made_for_safety' : 'backup.automated')}
            </Badge>
          )}
        </div>
        <Facts backup={backup} />
        {isInProgress(state) && <Work backup={backup} />}
        <Explanation backup={backup} />
        {backup.changed_count > 0 && <ChangedFiles backup={backup} />}
      </div>
      <span className="num sz">
        {bytes !== null && !isInProgress(state) && (
          <>
            <b>{sizeText(labels, bytes)}</b> <span className="meta">{t('backup.stored_size')}</span>
          </>
        )}
      </span>
      <BackupActions {...{ backup, ...rest }} />
    </li>
  );
}

const Badge = ({ icon, children }: { icon: 'locked' | 'automated'; children: ReactNode }) => (
  <span className="badge">
    <BackupIcon name={icon} />
    {children}
  </span>
);

function Facts({ backup }: { backup: BackupView }) {
  const labels = useMessages();
  const { t, count } = labels;
  const { content_bytes, files, game_version, loader, verified, created } = backup;
  return (
    <div className="tags">
      <Created since={created} />
      {content_bytes !== null && (
        <span>
          {t('backup.holds', {
            size: sizeText(labels, content_bytes),
            files: count('backup.files', files ?? 0),
          })}
        </span>
      )}
      <span>
        <bdi>{game_version}</bdi> <bdi>{loaderName(labels, loader)}</bdi>
      </span>
      {verified && (
        <span className="good">
          <BackupIcon name="verified" />
          <span>
            {t('backup.verified')} <Created since={verified} />
          </span>
        </span>
      )}
    </div>
  );
}

/** What its state means, and why the last action on it failed. */
function Explanation({ backup }: { backup: BackupView }) {
  const labels = useMessages();
  const last = useStore($lastWork)[backup.id];
  const { more } = stateViews[backup.state];
  return (
    <>
      {more && <p className="why">{labels.t(more)}</p>}
      {backup.error && (
        <p className="why bad">
          <b>{labels.t(failureText(backup, last))}.</b> {reasonOf(labels, backup.error)}
        </p>
      )}
    </>
  );
}

/** A refusal code in words; one without a text as it is, for support. */
function reasonOf(labels: PageMessages, error: NonNullable<BackupView['error']>): string {
  const { code, data } = error;
  const key = `error.${code}`;
  const text = labels.t(key as MessageKey, data);
  return text === key ? labels.t('backup.why_unknown', { code }) : text;
}

/** The files that were written while they were read: their state in the backup may be any in between. */
function ChangedFiles({ backup: { changed, changed_count } }: { backup: BackupView }) {
  const { count } = useMessages();
  return (
    <details className="changed">
      <summary>{count('backup.changed', changed_count)}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <ul dir="ltr" translate="no" tabIndex={0}>
        {changed.map((path) => (
          <li key={path}>
            <code>{path}</code>
          </li>
        ))}
      </ul>
      {changed_count > changed.length && (
        <p className="meta">{count('backup.changed_more', changed_count - changed.length)}</p>
      )}
    </details>
  );
}
