import { useId, useState } from 'react';
import type { MessageKey } from '#content/keys.ts';
import { cronText, nextRuns } from '#db/hosting/servers/schedules/cron.ts';
import { isTimeZone } from '#db/platform/time-zone.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { cronOf, hourChoices, type Times, timesOf } from './presets.ts';
import { timeText } from './schedule-text.ts';
import { useSentence } from './sentence.ts';

interface TimeFieldsProps {
  cron: string;
  timezone: string;
  /** What is wrong with them, in words. */
  wrong: string | null;
  set(part: { cron?: string; timezone?: string }): void;
}

/** When a schedule runs: a preset or an expression, the time zone, and what comes of them. */
export function TimeFields({ cron, timezone, wrong, set }: TimeFieldsProps) {
  const { t, formatting } = useMessages();
  const id = useId();
  const [times, setTimes] = useState(() => timesOf(cronText(cron)));
  const sentence = useSentence(cronText(cron), formatting);
  const [zones] = useState(() => [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])]);
  const choose = (part: Partial<Times>) => {
    const next = { ...times, ...part };
    setTimes(next);
    const made = cronOf(next);
    if (made) set({ cron: made });
  };
  const next = wrong === null ? nextRuns(cronText(cron), timezone, new Date(), 3) : [];
  return (
    <fieldset className="sc-fields">
      <legend className="label">{t('schedule.when')}</legend>
      <div className="sc-times">
        <div className="field">
          <label htmlFor={`${id}-kind`}>{t('schedule.how_often')}</label>
          <select
            className="in"
            id={`${id}-kind`}
            value={times.kind}
            onChange={({ target }) => choose({ kind: target.value as Times['kind'] })}
          >
            {(['daily', 'hours', 'weekly', 'own'] as const).map((kind) => (
              <option key={kind} value={kind}>
                {t(`schedule.preset_${kind}` as MessageKey)}
              </option>
            ))}
          </select>
        </div>
        <PresetFields times={times} choose={choose} />
        {times.kind === 'own' && (
          <div className="field">
            <label htmlFor={`${id}-cron`}>{t('schedule.cron')}</label>
            <input
              className="in mono"
              id={`${id}-cron`}
              dir="ltr"
              autoComplete="off"
              spellCheck={false}
              maxLength={200}
              value={cron}
              aria-invalid={wrong !== null && isTimeZone(timezone) ? true : undefined}
              aria-describedby={`${id}-result`}
              onChange={({ target }) => {
                set({ cron: target.value });
                // it stays an expression while it is typed, also where a preset says the same
                setTimes({ ...timesOf(cronText(target.value)), kind: 'own' });
              }}
            />
          </div>
        )}
        <div className="field">
          <label htmlFor={`${id}-zone`}>{t('schedule.timezone')}</label>
          <input
            className="in"
            id={`${id}-zone`}
            dir="ltr"
            autoComplete="off"
            spellCheck={false}
            list={`${id}-zones`}
            maxLength={100}
            value={timezone}
            aria-invalid={isTimeZone(timezone) ? undefined : true}
            aria-describedby={`${id}-result`}
            onChange={({ target }) => set({ timezone: target.value.trim() })}
          />
          <datalist id={`${id}-zones`}>
            {zones.map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
        </div>
      </div>
      <div className="sc-result" id={`${id}-result`} aria-live="polite">
        {wrong && <p className="hint bad">{wrong}</p>}
        {!wrong && sentence && <p>{sentence}</p>}
        {next.length > 0 && (
          <p className="hint">
            {t('schedule.next', {
              times: next.map((at) => timeText(formatting, at.toISOString(), timezone)).join(' · '),
            })}
          </p>
        )}
      </div>
    </fieldset>
  );
}

/** What a preset leaves open. */
function PresetFields({ times, choose }: { times: Times; choose(part: Partial<Times>): void }) {
  const { t, count, formatting } = useMessages();
  const id = useId();
  // 4 January 2026 is a Sunday
  const weekday = (day: number) =>
    new Intl.DateTimeFormat(formatting, { weekday: 'long', timeZone: 'UTC' }).format(
      Date.UTC(2026, 0, 4 + day),
    );
  return (
    <>
      {times.kind === 'weekly' && (
        <div className="field">
          <label htmlFor={`${id}-day`}>{t('schedule.weekday')}</label>
          <select
            className="in"
            id={`${id}-day`}
            value={times.weekday}
            onChange={({ target }) => choose({ weekday: Number(target.value) })}
          >
            {[1, 2, 3, 4, 5, 6, 0].map((day) => (
              <option key={day} value={day}>
                {weekday(day)}
              </option>
            ))}
          </select>
        </div>
      )}
      {(times.kind === 'daily' || times.kind === 'weekly') && (
        <div className="field">
          <label htmlFor={`${id}-time`}>{t('schedule.time')}</label>
          <input
            className="in"
            id={`${id}-time`}
            type="time"
            required
            value={times.time}
            onChange={({ target }) => target.value && choose({ time: target.value })}
          />
        </div>
      )}
      {times.kind === 'hours' && (
        <div className="field">
          <label htmlFor={`${id}-hours`}>{t('schedule.interval')}</label>
          <select
            className="in"
            id={`${id}-hours`}
            value={times.hours}
            onChange={({ target }) => choose({ hours: Number(target.value) })}
          >
            {hourChoices.map((hours) => (
              <option key={hours} value={hours}>
                {count('schedule.every_hours', hours)}
              </option>
            ))}
          </select>
        </div>
      )}
    </>
  );
}
