import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { max_activity_export } from '#db/hosting/servers/activity/rules.ts';
import type { ActivityEntry } from '#db/hosting/servers/activity/view.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Empty } from '../../../platform/ui/Empty.tsx';
import { Skeleton } from '../../../platform/ui/Skeleton.tsx';
import { Alert } from '../../shared/Alert.tsx';
import { useWithConnection } from '../core/use-with-connection.ts';
import type { PanelProps } from '../PanelFrame.tsx';
import { AccessFrame } from '../people/AccessFrame.tsx';
import { loadPeople } from '../people/people.store.ts';
import {
  $entries,
  $filter,
  $loading,
  $next,
  $problem,
  loadNewest,
  loadOlder,
  noFilter,
  saveActivity,
} from './activity.store.ts';
import { Filters } from './Filters.tsx';
import { foldRestores } from './fold-restores.ts';
import { activitySentence } from './sentence.ts';

/** What was done on one server, newest first, with filters and an export. */
export const Activity = (props: PanelProps) => (
  <AccessFrame {...props} path="/access/activity">
    {(server) => <Loaded server={server} />}
  </AccessFrame>
);

const load = async () => {
  await Promise.all([loadNewest(), loadPeople()]);
};

function Loaded({ server }: { server: ServerView }) {
  const { t } = useMessages();
  const entries = useStore($entries);
  const problem = useStore($problem);
  const isLoading = useStore($loading);
  useWithConnection(load);
  return (
    <section className="activity" aria-labelledby="activity-head" aria-busy={isLoading}>
      <header className="row wrap">
        <div>
          <h2 id="activity-head">{t('server_access.activity')}</h2>
          <p className="meta">{t('server_activity.kept')}</p>
        </div>
        <Exports server={server} />
      </header>
      <Filters />
      {problem && (
        <Alert
          tone="bad"
          title={t('server_activity.load_failed')}
          action={
            <button className="btn" type="button" onClick={() => void load()}>
              {t('server_access.reload')}
            </button>
          }
        >
          {problem.description}
        </Alert>
      )}
      {!entries && !problem && (
        <>
          <p className="hide" role="status">
            {t('server_activity.loading')}
          </p>
          <Skeleton rows={6} />
        </>
      )}
      {entries && <Entries entries={entries} />}
    </section>
  );
}

function Entries({ entries }: { entries: readonly ActivityEntry[] }) {
  const labels = useMessages();
  const { t } = labels;
  const next = useStore($next);
  const isLoading = useStore($loading);
  const isFiltered = useStore($filter) !== noFilter;
  const time = new Intl.DateTimeFormat(labels.formatting, { dateStyle: 'medium', timeStyle: 'medium' });
  if (entries.length === 0)
    return isFiltered ? (
      <Empty title={t('server_activity.none_found')} text={t('server_activity.none_found_text')} />
    ) : (
      <Empty title={t('server_activity.none')} text={t('server_activity.kept')} />
    );
  return (
    <>
      <ol className="lines entries">
        {foldRestores(entries).map(({ entry, steps }) => (
          <li key={entry.id}>
            <div>
              <p>{activitySentence(labels, entry)}</p>
              <p className="meta">
                <time dateTime={entry.at}>{time.format(new Date(entry.at))}</time> ·{' '}
                {t(`server_activity.kind_${entry.kind}`)}
              </p>
              {steps.length > 0 && (
                <details>
                  <summary className="meta">{labels.count('server_activity.steps', steps.length)}</summary>
                  <ul>
                    {steps.map((step) => (
                      <li key={step.id} className="meta">
                        {activitySentence(labels, step)} ·{' '}
                        <time dateTime={step.at}>{time.format(new Date(step.at))}</time>
                      </li>
                    ))}
                  </ul>
                </details>
              )}
            </div>
          </li>
        ))}
      </ol>
      {next !== null && (
        <button
          className="btn"
          type="button"
          aria-busy={isLoading}
          onClick={() => isLoading || void loadOlder()}
        >
          {t('server_activity.more')}
        </button>
      )}
    </>
  );
}

function Exports({ server }: { server: ServerView }) {
  const labels = useMessages();
  const { t, number } = labels;
  const [busy, setBusy] = useState<'csv' | 'jsonl' | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  const save = async (format: 'csv' | 'jsonl') => {
    if (busy) return;
    setBusy(format);
    const ended = await saveActivity(format, `activity-${server.id}`, (one) => activitySentence(labels, one));
    setBusy(null);
    if ('error' in ended) setSaid(`${t('server_activity.export_failed')}: ${ended.error.description}`);
    else setSaid(ended.cut ? t('server_activity.export_cut', { count: number(max_activity_export) }) : null);
  };
  const button = (format: 'csv' | 'jsonl') => (
    <button className="btn s" type="button" aria-busy={busy === format} onClick={() => void save(format)}>
      {t(format === 'csv' ? 'server_activity.export_csv' : 'server_activity.export_json')}
    </button>
  );
  return (
    <div className="push">
      <div className="acts">
        {button('csv')}
        {button('jsonl')}
      </div>
      <p className="hint" role="status">
        {said}
      </p>
    </div>
  );
}
