import { useStore } from '@nanostores/react';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { IslandMessages } from '#content/island-messages.ts';
import { MessagesProvider, useMessages } from '../../platform/text/MessagesContext.tsx';
import { Dependencies } from './Dependencies.tsx';
import { isPack } from './draft.ts';
import { EnvironmentField } from './EnvironmentField.tsx';
import { type ExistingFile, ExistingFiles } from './ExistingFiles.tsx';
import { FilesPart } from './FilesPart.tsx';
import { openForm } from './files.store.ts';
import { GameVersions } from './GameVersions.tsx';
import { LicenseOffer } from './LicenseOffer.tsx';
import { LoaderChoice } from './LoaderChoice.tsx';
import { onlyLoader } from './loader-groups.ts';
import { MainFields } from './MainFields.tsx';
import { $publish, currentDraft, type PublishPage, type PublishState, showDraft } from './publish.store.ts';
import { ReleaseFields } from './ReleaseFields.tsx';
import { SubmitBar } from './SubmitBar.tsx';
import { type EditedVersion, submitForm } from './submit.ts';
import { useWarning } from './use-warning.ts';

export interface VersionFormProps {
  page: PublishPage;
  /** The version that is edited; null for a new one. */
  version: EditedVersion | null;
  messages: IslandMessages;
  query: string;
  /** The editor of the changelog, `ChangelogEditor.astro`. */
  changelog?: ReactNode;
}

/** Writes a new version, or several, or edits one. */
export function VersionForm({ messages, query, ...form }: VersionFormProps) {
  return (
    <MessagesProvider messages={messages} query={query}>
      <Form {...form} />
    </MessagesProvider>
  );
}

function Form({ page, version, changelog }: Pick<VersionFormProps, 'page' | 'version' | 'changelog'>) {
  const { t, link, number } = useMessages();
  const state = useStore($publish);
  const [existing, setExisting] = useState<readonly ExistingFile[]>(version?.files ?? []);
  // what is typed before the scripts run would be lost
  const [isReady, setReady] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const draft = currentDraft(state);
  const isBusy = state.phase !== 'editing';

  useEffect(() => {
    const limit = `${number(Math.floor(page.max_file_bytes / 1024 / 1024))} MiB`;
    const fields = version
      ? { ...version.fields, release_at: localTime(version.scheduled_for) }
      : { environment: page.environment, loaders: onlyLoader(page) };
    openForm(page, { fields, edit: version !== null }, (code, filename) => {
      const extensions = 'jar, zip, litemod, mrpack, asc, gpg, sig';
      if (code === 'file_name_invalid') return t('error.file_name_invalid', { filename });
      if (code === 'file_type_unsupported') return t('error.file_type_unsupported', { filename, extensions });
      if (code === 'file_too_large') return t('error.file_too_large', { filename, limit });
      if (code === 'archive_unreadable') return t('error.archive_unreadable', { filename });
      if (code === 'empty') return t('publish.file_empty', { filename });
      if (code === 'repeated') return t('publish.file_repeated', { filename });
      return t('publish.file_gone', { filename });
    });
    setReady(true);
  }, [page, version, t, number]);
  useWarning(state, existing !== (version?.files ?? existing));

  const problems = state.problems[draft.key] ?? {};
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const ended = await submitForm({ page, version, existing, t, link });
    // the draft of the changelog is not needed any more
    if (ended) form.current?.dispatchEvent(new Event('form:sent'));
    else requestAnimationFrame(() => focusProblem(form.current));
  };
  const has_environment = page.loader_groups
    .flatMap(({ loaders }) => loaders)
    .some(({ name, environment }) => environment && draft.fields.loaders.includes(name));
  return (
    <form
      className="stack"
      ref={form}
      onSubmit={submit}
      noValidate
      aria-label={t(version ? 'publish.edit' : 'publish.new')}
    >
      <fieldset disabled={!isReady}>
        <FilesPart draft={draft} state={state} problem={problems.files} isEdit={version !== null}>
          {version && <ExistingFiles files={existing} change={setExisting} />}
        </FilesPart>
        {state.drafts.length > 1 && <DraftTabs state={state} />}
        <MainFields
          title={page.project.title}
          fields={draft.fields}
          problems={problems}
          changelog={changelog}
        />
        <LoaderChoice
          page={page}
          chosen={draft.fields.loaders}
          isPack={version ? version.pack : isPack(draft) || (page.only_packs && draft.files.length === 0)}
          problem={problems.loaders}
        />
        {has_environment && (
          <EnvironmentField
            choices={page.environments}
            chosen={draft.fields.environment}
            isEdit={version !== null}
            problem={problems.environment}
          />
        )}
        <GameVersions
          all={page.game_versions}
          chosen={draft.fields.game_versions}
          problem={problems.game_versions}
        />
        <Dependencies
          project_id={page.project.id}
          chosen={draft.fields.dependencies}
          reading={draft.files.find(({ reading }) => reading?.loaders.length)?.reading ?? null}
          problem={problems.dependencies}
        />
        {page.lacks_license && !version && (
          <LicenseOffer
            found={draft.files.find(({ reading }) => reading?.license)?.reading?.license ?? null}
            chosen={state.license}
          />
        )}
        <ReleaseFields fields={draft.fields} problems={problems} />
        <SubmitBar
          state={state}
          isEdit={version !== null}
          problem={problems.form}
          path={version?.path ?? `${page.project.path}/versions`}
        />
      </fieldset>
    </form>
  );
}

/** A time as the field for it takes it, in the time zone of the browser. */
function localTime(iso: string | null): string {
  if (iso === null) return '';
  const time = new Date(iso);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The element of the first problem gets the focus. */
function focusProblem(form: HTMLFormElement | null): void {
  const place = form?.querySelector<HTMLElement>('[aria-invalid="true"], [data-problem]');
  place?.focus();
  place?.scrollIntoView({ block: 'center' });
}

function DraftTabs({ state }: { state: PublishState }) {
  const { t } = useMessages();
  return (
    <nav className="tabs" aria-label={t('publish.versions')}>
      {state.drafts.map(({ key, fields, files }) => (
        <button
          key={key}
          type="button"
          aria-current={key === currentDraft(state).key ? 'true' : undefined}
          onClick={() => showDraft(key)}
        >
          <bdi>{fields.name || files[0]?.filename}</bdi>
          {Object.keys(state.problems[key] ?? {}).length > 0 && <span className="err"> !</span>}
        </button>
      ))}
    </nav>
  );
}
