import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import type { Draft } from './alerts.store.ts';

interface QuietProps {
  quiet: Draft['quiet'];
  /** The time zone does not exist. */
  isWrong: boolean;
  disabled: boolean;
  onChange(quiet: Draft['quiet']): void;
}

/** Hours in which mails wait. */
export function Quiet({ quiet, isWrong, disabled, onChange }: QuietProps) {
  const { t } = useMessages();
  const time = (name: 'from' | 'until') => (
    <div className="field">
      <label htmlFor={`quiet-${name}`}>
        {t(name === 'from' ? 'server_alerts.quiet_from' : 'server_alerts.quiet_until')}
      </label>
      <input
        className="in"
        id={`quiet-${name}`}
        type="time"
        required
        value={quiet[name]}
        onChange={({ target }) => target.value !== '' && onChange({ ...quiet, [name]: target.value })}
      />
    </div>
  );
  return (
    <fieldset disabled={disabled}>
      <legend>{t('server_alerts.quiet')}</legend>
      <p className="hint">{t('server_alerts.quiet_text')}</p>
      <label className="check">
        <input
          type="checkbox"
          checked={quiet.enabled}
          onChange={({ target }) => onChange({ ...quiet, enabled: target.checked })}
        />
        {t('server_alerts.quiet_on')}
      </label>
      {quiet.enabled && (
        <div className="quiet">
          {time('from')}
          {time('until')}
          <div className="field">
            <label htmlFor="quiet-zone">{t('server_alerts.quiet_zone')}</label>
            <input
              className="in"
              id="quiet-zone"
              dir="ltr"
              list="zones"
              autoComplete="off"
              spellCheck={false}
              value={quiet.zone}
              aria-invalid={isWrong ? true : undefined}
              aria-describedby={isWrong ? 'zone-wrong' : undefined}
              onChange={({ target }) => onChange({ ...quiet, zone: target.value.trim() })}
            />
            <datalist id="zones">
              {Intl.supportedValuesOf('timeZone').map((zone) => (
                <option key={zone} value={zone} />
              ))}
            </datalist>
            {isWrong && (
              <p className="hint bad" id="zone-wrong">
                {t('server_alerts.zone_wrong')}
              </p>
            )}
          </div>
        </div>
      )}
    </fieldset>
  );
}
