import { useStore } from '@nanostores/react';
import { motd_line_length, motd_lines } from '#db/hosting/servers/sleep/rules.ts';
import type { SleepView } from '#db/hosting/servers/sleep/view.ts';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { Alert } from '../../../shared/Alert.tsx';
import { usePanelForm } from '../../core/form.ts';
import { useWithConnection } from '../../core/use-with-connection.ts';
import type { PanelProps } from '../../PanelFrame.tsx';
import { OptionsFrame } from '../OptionsFrame.tsx';
import { OptionsLoading } from '../OptionsLoading.tsx';
import { type SleepDraft, sleepForm, sleepOf, sleep as stored, wrongSleep } from './sleep.store.ts';

/** Whether one server stops while nobody plays, and what a ping shows then. */
export const Sleep = (props: PanelProps) => (
  <OptionsFrame {...props} option="sleep">
    {() => <Loaded />}
  </OptionsFrame>
);

function Loaded() {
  const sleep = useStore(stored.$data);
  const draft = useStore(sleepForm.$draft);
  const problem = useStore(stored.$problem);
  useWithConnection(stored.load);
  if (!sleep || !draft) return <OptionsLoading problem={problem} reload={stored.load} />;
  return <Form {...{ sleep, draft }} />;
}

function Form({ sleep, draft }: { sleep: SleepView; draft: SleepDraft }) {
  const { t, number, parts } = useMessages();
  const { edit: set, save } = sleepForm;
  const { refused, saving, saved } = usePanelForm(sleepForm);
  const wrong = wrongSleep(draft);
  const wanted = sleepOf(draft, sleep);
  const isChanged = wanted.after_minutes !== sleep.after_minutes || wanted.motd !== sleep.motd;
  const range = { least: number(sleep.minutes_least), most: number(sleep.minutes_most) };
  return (
    <form
      className="stack startup"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged && !wrong.minutes && !wrong.motd) void save(wanted);
      }}
    >
      {sleep.supported === false && (
        <Alert tone="warn" title={t('server_options.sleep_outdated')}>
          {t('server_options.sleep_outdated_text')}
        </Alert>
      )}
      <p>
        {parts('server_options.sleep_text', {
          property: (
            <code key="property" className="whole" dir="ltr" translate="no">
              enable-status
            </code>
          ),
        })}
      </p>
      <label className="check">
        <input
          type="checkbox"
          checked={draft.isOn}
          onChange={({ target }) => set({ isOn: target.checked })}
        />
        {t('server_options.sleep_on')}
      </label>
      {draft.isOn && (
        <>
          <div className="field">
            <label htmlFor="minutes">{t('server_options.sleep_minutes')}</label>
            <input
              className="in"
              id="minutes"
              dir="ltr"
              inputMode="numeric"
              autoComplete="off"
              value={draft.minutes}
              aria-invalid={wrong.minutes || undefined}
              aria-describedby="minutes-hint"
              onChange={({ target }) => set({ minutes: target.value.trim() })}
            />
            <p className={wrong.minutes ? 'hint bad' : 'hint'} id="minutes-hint">
              {t(
                wrong.minutes ? 'server_options.sleep_minutes_wrong' : 'server_options.sleep_minutes_hint',
                range,
              )}
            </p>
          </div>
          <div className="field">
            <label htmlFor="motd">{t('server_options.sleep_motd')}</label>
            <textarea
              className="in"
              id="motd"
              dir="auto"
              rows={motd_lines}
              value={draft.motd}
              aria-invalid={wrong.motd ? true : undefined}
              aria-describedby="motd-hint"
              onChange={({ target }) => set({ motd: target.value })}
            />
            <p className={wrong.motd ? 'hint bad' : 'hint'} id="motd-hint">
              {t(wrong.motd ? 'server_options.sleep_motd_wrong' : 'server_options.sleep_motd_hint', {
                lines: motd_lines,
                most: number(motd_line_length),
              })}
            </p>
          </div>
        </>
      )}
      <div role="alert">
        {refused && (
          <Alert tone="bad" title={t('server_options.save_failed')}>
            {refused.description}
          </Alert>
        )}
      </div>
      <div className="acts">
        <p role="status">{saved && t('server_options.saved')}</p>
        <button
          className="btn main"
          type="submit"
          disabled={saving || wrong.minutes || wrong.motd !== null || !isChanged}
        >
          {t('server_options.save')}
        </button>
      </div>
    </form>
  );
}
