import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { Problem } from './Problem.tsx';
import { type PublishPage, setField } from './publish.store.ts';

interface EnvironmentFieldProps {
  choices: PublishPage['environments'];
  chosen: string;
  /** Of a version that is edited: it may say that it is not known. */
  isEdit: boolean;
  problem: string | undefined;
}

/** Where a version of these loaders runs. */
export function EnvironmentField({ choices, chosen, isEdit, problem }: EnvironmentFieldProps) {
  const { t } = useMessages();
  return (
    <div className="field">
      <label htmlFor="environment">{t('publish.environment')}</label>
      <select
        className="in"
        id="environment"
        value={chosen}
        aria-invalid={problem !== undefined}
        aria-describedby="environment-problem"
        onChange={({ target }) => setField('environment', target.value)}
      >
        <option value="">{t(isEdit ? 'publish.environment_unknown' : 'publish.choose')}</option>
        {choices.map(({ name, label }) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </select>
      <Problem id="environment-problem" text={problem} />
    </div>
  );
}
