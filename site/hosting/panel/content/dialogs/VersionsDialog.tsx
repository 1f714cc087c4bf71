import { useId, useState } from 'react';
import type { Version } from '#db/catalogue/versions/shape.ts';
import type { ContentItem, PackView, ServerContentType } from '#db/hosting/servers/content/view.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { apiFetch } from '../../../../platform/browser/api-client.ts';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { FormDialog } from '../../../shared/FormDialog.tsx';
import { loadersFor } from '../catalogue.ts';
import { $dialog } from '../content.store.ts';
import { usePlanned } from './planned.ts';
import { Waiting } from './Waiting.tsx';

interface VersionsProps {
  server: ServerView;
  type: ServerContentType | 'modpack';
  project: PackView['project'];
  version: NonNullable<ContentItem['version']>;
  whyNot: string | null;
  done(): void;
}

/** Versions that are listed. */
const max_listed = 50;

/** The versions of a project that fit the server, to change to one of them; what that would do is shown next. */
export function VersionsDialog({ server, type, project, version, whyNot, done }: VersionsProps) {
  const { t, formatting } = useMessages();
  const id = useId();
  const [chosen, setChosen] = useState(version.id);
  const isPack = type === 'modpack';
  const query = new URLSearchParams({ include_changelog: 'false' });
  if (!isPack) {
    const loaders = type === 'datapack' ? ['datapack'] : loadersFor(server, type);
    query.set('loaders', JSON.stringify(loaders));
    query.set('game_versions', JSON.stringify([server.game_version]));
  }
  const [listed] = usePlanned<Version[]>(() =>
    apiFetch('GET /v2/project/{id}/version', { path: { id: project.id }, query }),
  );
  const versions = listed.state === 'ready' ? listed.data.slice(0, max_listed) : [];
  const day = (at: string) =>
    new Intl.DateTimeFormat(formatting, { dateStyle: 'medium' }).format(new Date(at));
  const submit = async () => {
    const next = { project_id: project.id, version_id: chosen };
    $dialog.set({ kind: isPack ? 'pack' : 'install', ...next });
    return true;
  };
  return (
    <FormDialog
      title={t('server_content.versions_title', { name: `\u2068${project.title}\u2069` })}
      action={t('server_content.next')}
      whyNot={whyNot ?? (chosen === version.id ? t('server_content.choose_other') : null)}
      {...{ submit, done }}
    >
      {!isPack && (
        <p className="meta">{t('server_content.only_fitting', { version: server.game_version })}</p>
      )}
      {listed.state === 'loading' && <Waiting text="server_content.loading" />}
      {listed.state === 'refused' && (
        <p className="hint bad" role="alert">
          {listed.refusal.text}
        </p>
      )}
      {listed.state === 'ready' && versions.length === 0 && <p>{t('server_content.no_versions')}</p>}
      {versions.length > 0 && (
        <fieldset className="vers">
          <legend className="hide">{t('server_content.change_version')}</legend>
          {versions.map((one) => (
            <label key={one.id} className="check">
              <input
                type="radio"
                name={id}
                value={one.id}
                checked={chosen === one.id}
                onChange={() => setChosen(one.id)}
              />
              <bdi className="name">{one.version_number}</bdi>{' '}
              {one.id === version.id && <span className="badge">{t('server_content.installed')}</span>}{' '}
              {one.version_type !== 'release' && (
                <span className="badge warn">{t(`server_content.type_${one.version_type}`)}</span>
              )}
              <time className="meta push" dateTime={one.date_published}>
                {day(one.date_published)}
              </time>
            </label>
          ))}
        </fieldset>
      )}
    </FormDialog>
  );
}
