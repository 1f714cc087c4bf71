import { useStore } from '@nanostores/react';
import { useId } from 'react';
import type { MessageKey } from '#content/keys.ts';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { $suppressed, suppress, unsuppressOne } from '../../../shared/confirmations.store.ts';
import {
  $preferences,
  type Preferences as Chosen,
  defaults,
  prefer,
} from '../../../shared/preferences.store.ts';
import type { PanelProps } from '../../PanelFrame.tsx';
import { OptionsFrame } from '../OptionsFrame.tsx';

/** What the user prefers on the pages of servers, in this browser. */
export const Preferences = (props: PanelProps) => (
  <OptionsFrame {...props} option="preferences">
    {() => <All />}
  </OptionsFrame>
);

const preferences: Record<keyof Chosen, { label: MessageKey; hint: MessageKey }> = {
  hide_address: { label: 'server_preferences.hide_address', hint: 'server_preferences.hide_address_hint' },
  memory_bytes: { label: 'server_preferences.memory_bytes', hint: 'server_preferences.memory_bytes_hint' },
  backup_running: {
    label: 'server_preferences.backup_running',
    hint: 'server_preferences.backup_running_hint',
  },
};
const questions = {
  stop: 'server_preferences.ask_stop',
  restart: 'server_preferences.ask_restart',
  kill: 'server_preferences.ask_kill',
} as const satisfies Record<string, MessageKey>;

function All() {
  const { t } = useMessages();
  const loaded = useStore($preferences, { ssr: 'initial' });
  const chosen = loaded ?? defaults;
  const unasked = useStore($suppressed, { ssr: 'initial' });
  return (
    <div className="stack preferences">
      <p className="dim">{t('server_preferences.about')}</p>
      <section className="stack" aria-labelledby="preferences-shown">
        <h2 id="preferences-shown">{t('server_preferences.shown')}</h2>
        {(Object.keys(preferences) as (keyof Chosen)[]).map((key) => (
          <Toggle
            key={key}
            label={t(preferences[key].label)}
            hint={t(preferences[key].hint)}
            isOn={chosen[key]}
            isLoaded={loaded !== null}
            set={(isOn) => prefer({ [key]: isOn })}
          />
        ))}
      </section>
      <section className="stack" aria-labelledby="preferences-asked">
        <h2 id="preferences-asked">{t('server_preferences.asked')}</h2>
        {Object.entries(questions).map(([key, label]) => (
          <Toggle
            key={key}
            label={t(label)}
            isOn={!unasked.includes(key)}
            isLoaded={loaded !== null}
            set={(isOn) => (isOn ? unsuppressOne(key) : suppress(key))}
          />
        ))}
      </section>
    </div>
  );
}

interface ToggleProps {
  label: string;
  hint?: string;
  isOn: boolean;
  /** What is clicked before would be lost. */
  isLoaded: boolean;
  set(isOn: boolean): void;
}

function Toggle({ label, hint, isOn, isLoaded, set }: ToggleProps) {
  const id = useId();
  return (
    <div>
      <label className="check">
        <input
          type="checkbox"
          checked={isOn}
          disabled={!isLoaded}
          aria-describedby={hint ? id : undefined}
          onChange={({ target }) => set(target.checked)}
        />
        {label}
      </label>
      {hint && (
        <p className="hint" id={id}>
          {hint}
        </p>
      )}
    </div>
  );
}
