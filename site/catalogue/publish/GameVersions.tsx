import { useMemo, useState } from 'react';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { rangesOf } from '../../platform/text/version-ranges.ts';
import { Problem } from './Problem.tsx';
import { type PublishPage, setField } from './publish.store.ts';
import { Toggle, toggled } from './Toggle.tsx';

/** Most that are listed of a kind without groups: more are found by typing. */
const max_others = 60;

interface GameVersionsProps {
  all: PublishPage['game_versions'];
  chosen: readonly string[];
  problem: string | undefined;
}

/** `1.21.4` -> `1.21`; what has no such number has no group. */
const groupOf = (version: string): string | null => /^\d+\.\d+/.exec(version)?.[0] ?? null;

/** The game versions of a version: releases by their group, each as a whole too; snapshots when they are asked for. */
export function GameVersions({ all, chosen, problem }: GameVersionsProps) {
  const { t, count } = useMessages();
  const [typed, setTyped] = useState('');
  const [isWide, setWide] = useState(false);
  const known = useMemo(() => all.map(([version, version_type]) => ({ version, version_type })), [all]);
  const set = (versions: readonly string[]) => setField('game_versions', versions);
  const matches = (version: string) => version.includes(typed.trim().toLowerCase());
  const groups = new Map<string, string[]>();
  for (const [version, type] of all) {
    if (type !== 'release' || !matches(version)) continue;
    const group = groupOf(version) ?? version;
    groups.set(group, [...(groups.get(group) ?? []), version]);
  }
  const others = isWide ? all.filter(([version, type]) => type !== 'release' && matches(version)) : [];
  const ranges = rangesOf({ t }, chosen, known);
  return (
    <section aria-labelledby="games-title" data-problem={problem ? '' : undefined} tabIndex={-1}>
      <h2 id="games-title">{t('version.game_versions')}</h2>
      <Problem id="games-problem" text={problem} />
      <div className="chips" aria-live="polite">
        {ranges.length === 0 && <span className="meta">{t('publish.no_game_versions')}</span>}
        {ranges.map(({ name, versions }) => (
          <button
            className="chip on"
            key={name}
            type="button"
            aria-label={t('version.without', { filter: name })}
            onClick={() => set(chosen.filter((version) => !versions.includes(version)))}
          >
            <bdi>{name}</bdi> ×
          </button>
        ))}
      </div>
      <div className="row wrap">
        <input
          className="in narrow"
          type="search"
          value={typed}
          placeholder={t('publish.find_game_version')}
          aria-label={t('publish.find_game_version')}
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
        <label className="check">
          <input type="checkbox" checked={isWide} onChange={({ target }) => setWide(target.checked)} />
          <span>{t('publish.show_snapshots')}</span>
        </label>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section className="games" tabIndex={0} aria-label={t('publish.all_game_versions')}>
        {[...groups].map(([group, versions]) => (
          <fieldset className="chips" key={group}>
            <legend className="hide">{group}</legend>
            <Group group={group} versions={versions} chosen={chosen} set={set} />
            {versions.length > 1 &&
              versions.map((version) => (
                <Toggle
                  key={version}
                  label={version}
                  isOn={chosen.includes(version)}
                  toggle={() => set(toggled(chosen, version))}
                />
              ))}
          </fieldset>
        ))}
        {others.length > 0 && (
          <fieldset className="chips">
            <legend className="meta">{t('publish.snapshots')}</legend>
            {others.slice(0, max_others).map(([version]) => (
              <Toggle
                key={version}
                label={version}
                isOn={chosen.includes(version)}
                toggle={() => set(toggled(chosen, version))}
              />
            ))}
            {others.length > max_others && (
              <span className="meta">{count('publish.more_snapshots', others.length - max_others)}</span>
            )}
          </fieldset>
        )}
        {groups.size + others.length === 0 && <p className="meta">{t('publish.none_found')}</p>}
      </section>
    </section>
  );
}

interface GroupProps {
  group: string;
  versions: readonly string[];
  chosen: readonly string[];
  set(versions: readonly string[]): void;
}

/** All versions of a group at once; a group of one is that version. */
function Group({ group, versions, chosen, set }: GroupProps) {
  const { t } = useMessages();
  const on = versions.filter((version) => chosen.includes(version)).length;
  const isWhole = on === versions.length;
  const others = chosen.filter((version) => !versions.includes(version));
  return (
    <label className="check whole">
      <input
        type="checkbox"
        ref={(box) => {
          if (box) box.indeterminate = on > 0 && !isWhole;
        }}
        checked={isWhole}
        aria-label={versions.length > 1 ? t('publish.all_of', { group }) : undefined}
        onChange={() => set(isWhole ? others : [...others, ...versions])}
      />
      <bdi>{versions.length > 1 ? group : versions[0]}</bdi>
    </label>
  );
}
