import { useEffect, useState } from 'react';
import type { ManifestReading } from '#db/catalogue/manifests/read-manifests.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { DependencyRow } from './DependencyRow.tsx';
import { DependencySearch } from './DependencySearch.tsx';
import { type FoundProject, projectsByIds } from './dependency-lookups.ts';
import type { ChosenDependency, DependencyType } from './draft.ts';
import { Problem } from './Problem.tsx';
import { setField } from './publish.store.ts';

interface DependenciesProps {
  project_id: string;
  chosen: readonly ChosenDependency[];
  reading: ManifestReading | null;
  problem: string | undefined;
}

/** What a version needs: suggested by its manifest, or found by search. */
export function Dependencies({ project_id, chosen, reading, problem }: DependenciesProps) {
  const { t } = useMessages();
  const suggested = useSuggestions(reading);
  const set = (list: readonly ChosenDependency[]) => setField('dependencies', list);
  const open = suggested.filter(
    ({ project }) => project.id !== project_id && !chosen.some((one) => one.project_id === project.id),
  );
  const add = (...found: ReadonlyArray<{ project: FoundProject; type: DependencyType }>) =>
    set([
      ...chosen,
      ...found
        .filter(({ project }) => !chosen.some((one) => one.project_id === project.id && !one.version_id))
        .map(({ project, type }) => ({
          ...{ project_id: project.id, version_id: null, version_number: null, file_name: null },
          ...{ title: project.title, dependency_type: type },
        })),
    ]);
  return (
    <section aria-labelledby="needs-title" data-problem={problem ? '' : undefined} tabIndex={-1}>
      <h2 id="needs-title">{t('version.dependencies')}</h2>
      <Problem id="needs-problem" text={problem} />
      {chosen.length > 0 && (
        <ul className="needs">
          {chosen.map((one, place) => (
            <DependencyRow
              key={`${one.project_id} ${one.version_id} ${one.file_name}`}
              dependency={one}
              change={(next) => set(chosen.map((other, at) => (at === place ? next : other)))}
              remove={() => set(chosen.filter((_, at) => at !== place))}
            />
          ))}
        </ul>
      )}
      {open.length > 0 && (
        <div className="chips">
          <span className="meta">{t('publish.suggested')}</span>
          {open.map(({ project, type }) => (
            <button className="chip" key={project.id} type="button" onClick={() => add({ project, type })}>
              + <bdi>{project.title}</bdi> <span className="meta">{t(`version.${type}`)}</span>
            </button>
          ))}
          {open.length > 1 && (
            <button className="btn s" type="button" onClick={() => add(...open)}>
              {t('publish.add_all')}
            </button>
          )}
        </div>
      )}
      <DependencySearch choose={(project) => add({ project, type: 'required' })} not={project_id} />
    </section>
  );
}

interface Suggestion {
  project: FoundProject;
  type: DependencyType;
}

/** The projects of this site that the manifest names by their slug or id. */
function useSuggestions(reading: ManifestReading | null): readonly Suggestion[] {
  const [found, setFound] = useState<readonly Suggestion[]>([]);
  useEffect(() => {
    const stop = new AbortController();
    setFound([]);
    const named = (reading?.dependencies ?? []).filter(
      ({ dependency_type }) => dependency_type !== 'embedded',
    );
    void projectsByIds(
      named.map(({ id }) => id),
      stop.signal,
    ).then((projects) => {
      if (stop.signal.aborted) return;
      const suggestions = named.flatMap(({ id, dependency_type }): Suggestion[] => {
        const project = projects.get(id.toLowerCase());
        return project ? [{ project, type: dependency_type }] : [];
      });
      setFound([...new Map(suggestions.map((one) => [one.project.id, one])).values()]);
    });
    return () => stop.abort();
  }, [reading]);
  return found;
}
