import type { ReactNode } from 'react';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { Changelog } from './Changelog.tsx';
import { limits, type ProblemPlace, usualName, type VersionFields, versionTypes } from './draft.ts';
import { Problem } from './Problem.tsx';
import { setField } from './publish.store.ts';

interface MainFieldsProps {
  fields: VersionFields;
  problems: Partial<Record<ProblemPlace, string>>;
}

/** Name, number, channel and changelog. */
export function MainFields({
  title,
  fields,
  problems,
  changelog,
}: MainFieldsProps & { title: string; changelog: ReactNode }) {
  const { t } = useMessages();
  return (
    <section aria-labelledby="about-title">
      <h2 id="about-title">{t('publish.about')}</h2>
      <div className="pair">
        <Line
          field="name"
          label={t('publish.name')}
          hint={t('publish.name_optional')}
          placeholder={usualName(title, fields.version_number)}
          {...{ fields, problems }}
        />
        <Line
          field="version_number"
          label={t('version.number')}
          hint={t('publish.number_hint')}
          {...{ fields, problems }}
        />
      </div>
      <fieldset className="field">
        <legend className="label">{t('version.channel')}</legend>
        <div className="row wrap">
          {versionTypes.map((type) => (
            <label className="check" key={type}>
              <input
                type="radio"
                name="version_type"
                checked={fields.version_type === type}
                onChange={() => setField('version_type', type)}
              />
              <span>{t(`version.${type}`)}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <Changelog text={fields.changelog} problem={problems.changelog}>
        {changelog}
      </Changelog>
    </section>
  );
}

interface LineProps extends MainFieldsProps {
  field: 'name' | 'version_number';
  label: string;
  hint: string;
  /** What an empty field stands for. */
  placeholder?: string;
}

function Line({ field, label, hint, placeholder, fields, problems }: LineProps) {
  return (
    <div className="field">
      <label htmlFor={field}>{label}</label>
      <input
        className="in"
        id={field}
        dir="auto"
        value={fields[field]}
        placeholder={placeholder}
        maxLength={limits[field]}
        autoComplete="off"
        spellCheck={field === 'name'}
        aria-invalid={problems[field] !== undefined}
        aria-describedby={`${field}-hint ${field}-problem`}
        onChange={({ target }) => setField(field, target.value)}
      />
      <p className="hint" id={`${field}-hint`}>
        {hint}
      </p>
      <Problem id={`${field}-problem`} text={problems[field]} />
    </div>
  );
}
