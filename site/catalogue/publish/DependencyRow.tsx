import x from 'lucide-static/icons/x.svg?raw';
import { useState } from 'react';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { Drawing } from '../../platform/ui/Icon.tsx';
import { versionsOf } from './dependency-lookups.ts';
import { type ChosenDependency, type DependencyType, dependencyTypes } from './draft.ts';

interface DependencyRowProps {
  dependency: ChosenDependency;
  change(next: ChosenDependency): void;
  remove(): void;
}

/** A dependency: which kind, and of which version. Its versions are loaded when one first goes there. */
export function DependencyRow({ dependency, change, remove }: DependencyRowProps) {
  const { t } = useMessages();
  const { project_id, version_id, version_number, title, dependency_type } = dependency;
  const [versions, setVersions] = useState<Awaited<ReturnType<typeof versionsOf>> | null>(null);
  const load = () => {
    if (versions || !project_id) return;
    setVersions([]);
    void versionsOf(project_id).then(setVersions);
  };
  const known = versions?.some(({ id }) => id === version_id);
  return (
    <li>
      <bdi className="name">{title}</bdi>
      <select
        className="in"
        aria-label={t('publish.kind_of', { title })}
        value={dependency_type}
        onChange={({ target }) => change({ ...dependency, dependency_type: target.value as DependencyType })}
      >
        {dependencyTypes.map((type) => (
          <option key={type} value={type}>
            {t(`version.${type}`)}
          </option>
        ))}
      </select>
      {project_id && (
        <select
          className="in"
          aria-label={t('publish.version_of', { title })}
          value={version_id ?? ''}
          onFocus={load}
          onPointerDown={load}
          onChange={({ target }) => {
            const chosen = versions?.find(({ id }) => id === target.value);
            change({
              ...dependency,
              version_id: target.value || null,
              version_number: chosen?.version_number ?? version_number,
            });
          }}
        >
          <option value="">{t('version.any_version')}</option>
          {version_id && !known && <option value={version_id}>{version_number ?? version_id}</option>}
          {(versions ?? []).map(({ id, version_number }) => (
            <option key={id} value={id}>
              {version_number}
            </option>
          ))}
        </select>
      )}
      <button
        className="btn quiet s icon"
        type="button"
        aria-label={t('publish.remove_dependency', { title })}
        onClick={remove}
      >
        <Drawing svg={x} />
      </button>
    </li>
  );
}
