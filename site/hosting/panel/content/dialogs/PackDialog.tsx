import { useId, useState } from 'react';
import type { PackPlan } from '#db/hosting/servers/content/view.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { sizeText } from '../../../../platform/text/bytes.ts';
import { type PageMessages, useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { FormDialog } from '../../../shared/FormDialog.tsx';
import { Icon } from '../../../shared/Icon.tsx';
import { loaderName } from '../../../shared/loader-name.ts';
import { stopsFirst } from '../../../shared/state.ts';
import { requestFromPanel } from '../../core/open-panel.ts';
import { installPack, refusalIn } from '../actions.ts';
import { NotPlanned } from './NotPlanned.tsx';
import { usePlanned } from './planned.ts';
import { Waiting } from './Waiting.tsx';

interface PackDialogProps {
  server: ServerView;
  project_id: string;
  version_id?: string;
  whyNot: string | null;
  done(): void;
}

/** Installs a modpack or another version of it: what the server becomes and what is lost stands there before. */
export function PackDialog({ server, project_id, version_id, whyNot, done }: PackDialogProps) {
  const labels = useMessages();
  const { t } = labels;
  const id = useId();
  const [op_id] = useState(() => crypto.randomUUID());
  const [hasBackup, setBackup] = useState(true);
  const [problem, setProblem] = useState<readonly [string, string] | null>(null);
  const [planned, again] = usePlanned(() =>
    requestFromPanel('content.pack_plan', { project_id, ...(version_id && { version_id }) }),
  );
  const plan = planned.state === 'ready' ? planned.data.plan : null;
  const stops = stopsFirst(server);
  const submit = async () => {
    if (!plan) return false;
    setProblem(null);
    const asked = { op_id, revision: plan.revision, version_id: plan.version.id };
    return await installPack({ ...asked, backup: hasBackup, stop: stops }, (error) => {
      setProblem([t('server_content.failed'), refusalIn(labels, error)]);
      if (error.code === 'content_changed') again();
      return true;
    });
  };
  return (
    <FormDialog
      title={t('server_content.pack_title', { server: `\u2068${server.name}\u2069` })}
      action={t(stops ? 'server_content.stop_and_install' : 'server_content.install')}
      danger={plan !== null && plan.removed_count + plan.lost_count > 0}
      whyNot={whyNot ?? (plan ? null : t('server_content.planning'))}
      {...{ problem, submit, done }}
    >
      {planned.state === 'loading' && <Waiting text="server_content.planning" />}
      {planned.state === 'refused' && <NotPlanned refusal={planned.refusal} again={again} />}
      {plan && <PackFacts plan={plan} />}
      <div>
        <label className="check">
          <input
            type="checkbox"
            checked={hasBackup}
            aria-describedby={`${id}-backup`}
            onChange={({ target }) => setBackup(target.checked)}
          />
          <span>{t('server_content.backup_first')}</span>
        </label>
        <span className="hint" id={`${id}-backup`}>
          {t(hasBackup ? 'server_content.backup_text' : 'server_content.no_backup_text')}
        </span>
      </div>
      {stops && (
        <div className="say warn">
          <Icon name="warn" />
          <b>{t('server_content.stops')}</b>
          <p>{t('server_content.stops_text')}</p>
        </div>
      )}
    </FormDialog>
  );
}

function PackFacts({ plan }: { plan: PackPlan }) {
  const labels = useMessages();
  const { t, count } = labels;
  const { project, version, loader, added, replaced, client_only, foreign, bytes } = plan;
  return (
    <>
      <p>
        <bdi className="name">{project.title}</bdi> <bdi className="meta">{version.version_number}</bdi>
      </p>
      <dl className="facts">
        {loader && (
          <>
            <dt>{t('server_content.becomes_loader')}</dt>
            <dd>
              <bdi>{loader.game_version}</bdi> <bdi>{loaderName(labels, loader.loader)}</bdi>{' '}
              <bdi>{loader.loader_version}</bdi>
            </dd>
          </>
        )}
        <dt>{t('server_content.pack_files')}</dt>
        <dd>
          {count('server_content.pack_added', added)}
          {', '}
          {count('server_content.pack_replaced', replaced)} ({sizeText(labels, bytes)})
        </dd>
        {client_only > 0 && (
          <>
            <dt>{t('server_content.pack_client_only')}</dt>
            <dd>{count('server_content.files', client_only)}</dd>
          </>
        )}
        {foreign.length > 0 && (
          <>
            <dt>{t('server_content.pack_foreign')}</dt>
            <dd>{hostsText(labels, foreign)}</dd>
          </>
        )}
      </dl>
      <Lost title="server_content.pack_removed" paths={plan.removed} count={plan.removed_count} />
      <Lost title="server_content.pack_lost" paths={plan.lost} count={plan.lost_count} />
      {plan.removed_count + plan.lost_count === 0 && <p>{t('server_content.nothing_lost')}</p>}
    </>
  );
}

const hostsText = ({ formatting, number }: PageMessages, foreign: PackPlan['foreign']): string =>
  new Intl.ListFormat(formatting).format(
    foreign.map((one) => `\u2066${one.host}\u2069 (${number(one.count)})`),
  );

interface LostProps {
  title: 'server_content.pack_removed' | 'server_content.pack_lost';
  paths: readonly string[];
  count: number;
}

/** Files that will not be there any more, or not as they are. */
function Lost({ title, paths, count: total }: LostProps) {
  const { count } = useMessages();
  if (total === 0) return null;
  return (
    <details className="changed">
      <summary>{count(title, total)}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <ul dir="ltr" translate="no" tabIndex={0}>
        {paths.map((path) => (
          <li key={path}>
            <code>{path}</code>
          </li>
        ))}
      </ul>
      {total > paths.length && (
        <p className="meta">{count('server_content.and_more', total - paths.length)}</p>
      )}
    </details>
  );
}
