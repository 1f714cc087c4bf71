import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { type ProblemPlace, settableStatuses, type VersionFields } from './draft.ts';
import { Problem } from './Problem.tsx';
import { setField } from './publish.store.ts';

interface ReleaseFieldsProps {
  fields: VersionFields;
  problems: Partial<Record<ProblemPlace, string>>;
}

/** Who sees the version, and when. */
export function ReleaseFields({ fields, problems }: ReleaseFieldsProps) {
  const { t } = useMessages();
  return (
    <section aria-labelledby="release-title">
      <h2 id="release-title">{t('publish.release')}</h2>
      <div className="pair">
        <div className="field">
          <label htmlFor="status">{t('publish.status')}</label>
          <select
            className="in"
            id="status"
            value={fields.status}
            aria-describedby="status-hint"
            onChange={({ target }) => setField('status', target.value as VersionFields['status'])}
          >
            {[...settableStatuses, 'scheduled' as const].map((status) => (
              <option key={status} value={status}>
                {t(`publish.status_${status}`)}
              </option>
            ))}
          </select>
          <p className="hint" id="status-hint">
            {t(`publish.status_${fields.status}_hint`)}
          </p>
        </div>
        {fields.status === 'scheduled' && (
          <div className="field">
            <label htmlFor="release_at">{t('publish.release_at')}</label>
            <input
              className="in"
              id="release_at"
              type="datetime-local"
              value={fields.release_at}
              aria-invalid={problems.release_at !== undefined}
              aria-describedby="release_at-hint release_at-problem"
              onChange={({ target }) => setField('release_at', target.value)}
            />
            <p className="hint" id="release_at-hint">
              {t('publish.release_at_hint', { zone: Intl.DateTimeFormat().resolvedOptions().timeZone })}
            </p>
            <Problem id="release_at-problem" text={problems.release_at} />
          </div>
        )}
      </div>
      <label className="check">
        <input
          type="checkbox"
          checked={fields.featured}
          onChange={({ target }) => setField('featured', target.checked)}
        />
        <span>{t('publish.featured')}</span>
      </label>
      <div className="field">
        <label htmlFor="ordering">{t('publish.ordering')}</label>
        <input
          className="in short"
          id="ordering"
          inputMode="numeric"
          maxLength={11}
          autoComplete="off"
          value={fields.ordering}
          aria-invalid={problems.ordering !== undefined}
          aria-describedby="ordering-hint ordering-problem"
          onChange={({ target }) => setField('ordering', target.value)}
        />
        <p className="hint" id="ordering-hint">
          {t('publish.ordering_hint')}
        </p>
        <Problem id="ordering-problem" text={problems.ordering} />
      </div>
    </section>
  );
}
