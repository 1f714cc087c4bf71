import { useEffect, useState } from 'react';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { ProjectIcon } from '../../platform/ui/ProjectIcon.tsx';
import { type FoundProject, searchProjects } from './dependency-lookups.ts';

/** Pause after the last letter before it searches. */
const typing_ms = 200;

interface DependencySearchProps {
  choose(project: FoundProject): void;
  /** The project itself. */
  not: string;
}

/** Finds a project by its name, slug or ID. */
export function DependencySearch({ choose, not }: DependencySearchProps) {
  const { t, count } = useMessages();
  const [typed, setTyped] = useState('');
  const [found, setFound] = useState<readonly FoundProject[] | null>([]);
  const query = typed.trim();
  useEffect(() => {
    if (query === '') return setFound([]);
    const stop = new AbortController();
    const timer = setTimeout(() => {
      void searchProjects(query, stop.signal).then((projects) => {
        if (!stop.signal.aborted) setFound(projects?.filter(({ id }) => id !== not) ?? null);
      });
    }, typing_ms);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [query, not]);
  const take = (project: FoundProject) => {
    choose(project);
    setTyped('');
  };
  return (
    <div className="field">
      <label htmlFor="needs-search">{t('publish.add_dependency')}</label>
      <input
        className="in"
        id="needs-search"
        type="search"
        dir="auto"
        value={typed}
        autoComplete="off"
        aria-describedby="needs-found"
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          if (found?.[0]) take(found[0]);
        }}
      />
      <p className="hint" id="needs-found" aria-live="polite">
        {query === '' && t('publish.add_dependency_hint')}
        {query !== '' && (found ? count('publish.found', found.length) : t('publish.search_failed'))}
      </p>
      {found && found.length > 0 && (
        <ul className="hits">
          {found.map((project) => (
            <li key={project.id}>
              <button type="button" onClick={() => take(project)}>
                <ProjectIcon url={project.icon_url} size={24} />
                <bdi>{project.title}</bdi> <bdi className="meta">{project.author}</bdi>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
