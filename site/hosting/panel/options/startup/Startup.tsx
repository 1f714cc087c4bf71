import { useStore } from '@nanostores/react';
import type { JavaVersion } from '#db/hosting/server-kinds/java/rules.ts';
import { flagsOf, max_flags, startCommand } from '#db/hosting/servers/startup/rules.ts';
import type { StartupView } from '#db/hosting/servers/startup/view.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { Alert } from '../../../shared/Alert.tsx';
import { usePanelForm } from '../../core/form.ts';
import { useWithConnection } from '../../core/use-with-connection.ts';
import type { PanelProps } from '../../PanelFrame.tsx';
import { OptionsFrame } from '../OptionsFrame.tsx';
import { OptionsLoading } from '../OptionsLoading.tsx';
import {
  type Draft,
  draftOf,
  saveStartup,
  startupForm,
  startup as storedStartup,
  wrongIn,
} from './startup.store.ts';

/** How one server is started: Java, memory of the game, flags, and the command that comes of them. */
export const Startup = (props: PanelProps) => (
  <OptionsFrame {...props} option="startup">
    {(server) => <Loaded server={server} />}
  </OptionsFrame>
);

function Loaded({ server }: { server: ServerView }) {
  const { $data, $problem, load } = storedStartup;
  const startup = useStore($data);
  const draft = useStore(startupForm.$draft);
  const problem = useStore($problem);
  useWithConnection(load);
  if (!startup || !draft) return <OptionsLoading problem={problem} reload={load} />;
  return <Form {...{ server, startup, draft }} />;
}

function Form({ server, startup, draft }: { server: ServerView; startup: StartupView; draft: Draft }) {
  const { t, number } = useMessages();
  const { edit: set } = startupForm;
  const { refused, saving, saved } = usePanelForm(startupForm);
  const wrong = wrongIn(draft, startup);
  const stored = draftOf(startup);
  const isChanged = draft.java !== stored.java || draft.heap !== stored.heap || draft.flags !== stored.flags;
  const isDefault = stored.java === null && stored.heap === '' && stored.flags === '';
  const range = { least: number(startup.heap_least_mb), most: number(startup.heap_most_mb) };
  const chosen = {
    java: draft.java as JavaVersion | null,
    heap_mb: draft.heap === '' || wrong?.field === 'heap' ? null : Number(draft.heap),
    jvm_flags: flagsOf(draft.flags),
  };
  return (
    <form
      className="stack startup"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!wrong) void saveStartup(draft);
      }}
    >
      {server.kind === 'local' && <p className="hint">{t('server_options.java_demo')}</p>}
      <section aria-labelledby="command">
        <h2 id="command">{t('server_options.command')}</h2>
        <pre className="command" dir="ltr">
          <code>{startCommand(server, chosen)}</code>
        </pre>
      </section>
      <div className="field">
        <label htmlFor="java">{t('server_options.java')}</label>
        <select
          className="in"
          id="java"
          value={draft.java ?? ''}
          aria-describedby="java-hint"
          onChange={({ target }) => set({ java: target.value === '' ? null : Number(target.value) })}
        >
          <option value="">{t('server_options.java_default', { version: startup.java_default })}</option>
          {startup.java_choices.map((version) => (
            <option key={version} value={version}>
              {t('server_options.java_version', { version })}
            </option>
          ))}
        </select>
        <p className="hint" id="java-hint">
          {t('server_options.java_hint', { version: `\u2066${server.game_version}\u2069` })}
        </p>
      </div>
      <div className="field">
        <label htmlFor="heap">{t('server_options.memory')}</label>
        <input
          className="in"
          id="heap"
          dir="ltr"
          inputMode="numeric"
          autoComplete="off"
          value={draft.heap}
          placeholder={String(startup.heap_default_mb)}
          aria-invalid={wrong?.field === 'heap' ? true : undefined}
          aria-describedby="heap-hint"
          onChange={({ target }) => set({ heap: target.value.trim() })}
        />
        <p className={wrong?.field === 'heap' ? 'hint bad' : 'hint'} id="heap-hint">
          {wrong?.field === 'heap'
            ? t('server_options.memory_wrong', range)
            : t('server_options.memory_hint', { ...range, usual: number(startup.heap_default_mb) })}
        </p>
      </div>
      <div className="field">
        <label htmlFor="flags">{t('server_options.flags')}</label>
        <textarea
          className="in"
          id="flags"
          dir="ltr"
          rows={3}
          spellCheck={false}
          autoComplete="off"
          value={draft.flags}
          aria-invalid={wrong?.field === 'flags' ? true : undefined}
          aria-describedby="flags-hint"
          onChange={({ target }) => set({ flags: target.value })}
        />
        <p className={wrong?.field === 'flags' ? 'hint bad' : 'hint'} id="flags-hint">
          {wrong?.field !== 'flags'
            ? t('server_options.flags_hint')
            : wrong.flag === null
              ? t('server_options.flags_many', { most: number(max_flags) })
              : t('server_options.flag_refused', { flag: `\u2066${wrong.flag.slice(0, 100)}\u2069` })}
        </p>
        <details>
          <summary>{t('server_options.flags_allowed')}</summary>
          <ul className="flags" dir="ltr">
            {startup.flags_allowed.map((flag) => (
              <li key={flag}>
                <code>{flag}</code>
              </li>
            ))}
          </ul>
        </details>
      </div>
      <div role="alert">
        {refused && (
          <Alert tone="bad" title={t('server_options.save_failed')}>
            {refused.description}
          </Alert>
        )}
      </div>
      <div className="acts">
        <p role="status">
          {saved && t(server.restart_due ? 'server_options.saved_restart' : 'server_options.saved')}
        </p>
        <button
          className="btn"
          type="button"
          disabled={saving || (isDefault && !isChanged)}
          onClick={() => void saveStartup({ java: null, heap: '', flags: '' })}
        >
          {t('server_options.restore_default')}
        </button>
        <button className="btn primary" type="submit" disabled={saving || wrong !== null || !isChanged}>
          {t('server_options.save')}
        </button>
      </div>
    </form>
  );
}
