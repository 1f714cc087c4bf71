import { useMessages } from '../text/MessagesContext.tsx';
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

/** The loaders of a version, by project type. */
export function LoaderChoice({ page, chosen, isPack, problem }: LoaderChoiceProps) {
  const { t } = useMessages();
  const groups = page.loader_groups
    .map(({ label, loaders }) => ({
      label,
      loaders: isPack ? loaders.filter(({ name }) => page.pack_loaders.includes(name)) : loaders,
    }))
    .filter(({ loaders }) => loaders.length > 0);
  return (
    <section aria-labelledby="loaders-title" data-problem={problem ? '' : undefined} tabIndex={-1}>
      <h2 id="loaders-title">{t('version.loaders')}</h2>
      <Problem id="loaders-problem" text={problem} />
      {groups.map(({ label, loaders }) => (
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
      ))}
    </section>
  );
}
