import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { loaderGroupsOf } from './loader-groups.ts';
import { Problem } from './Problem.tsx';
import { type PublishPage, setField } from './publish.store.ts';
import { Toggle, toggled } from './Toggle.tsx';

interface LoaderChoiceProps {
  page: PublishPage;
  chosen: readonly string[];
  /** A modpack is for fewer loaders. */
  isPack: boolean;
  problem: string | undefined;
}

/** The loaders of a version: those of the project's kinds, and those of other kinds on request. */
export function LoaderChoice({ page, chosen, isPack, problem }: LoaderChoiceProps) {
  const { t } = useMessages();
  const { own, others } = loaderGroupsOf(page, chosen, isPack);
  const shown = ({ label, loaders }: (typeof own)[number]) => (
    <fieldset className="chips" key={label}>
      <legend className="meta">{label}</legend>
      {loaders.map(({ name, label }) => (
        <Toggle
          key={name}
          label={label}
          isOn={chosen.includes(name)}
          toggle={() => setField('loaders', toggled(chosen, name))}
        />
      ))}
    </fieldset>
  );
  return (
    <section aria-labelledby="loaders-title" data-problem={problem ? '' : undefined} tabIndex={-1}>
      <h2 id="loaders-title">{t('version.loaders')}</h2>
      <Problem id="loaders-problem" text={problem} />
      {own.map(shown)}
      {others.length > 0 && (
        <details>
          <summary className="meta">{t('publish.other_kinds')}</summary>
          {others.map(shown)}
        </details>
      )}
    </section>
  );
}
