import { useState } from 'react';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import type { AnalyticsProject } from './chart-lines.ts';
import { LineKey } from './Legend.tsx';
import { lineStyle } from './line-style.ts';

/** Chips that are shown before all are asked for. */
const shown_chips = 12;

interface ProjectChipsProps {
  projects: readonly AnalyticsProject[];
  chosen: readonly string[];
  choose(ids: string[]): void;
}

/** Chooses projects: none is all of them. */
export function ProjectChips({ projects, chosen, choose }: ProjectChipsProps) {
  const { t, count } = useMessages();
  const [all, setAll] = useState(false);
  const shown = projects
    .map((project, place) => ({ ...project, place }))
    .filter(({ id, place }) => all || place < shown_chips || chosen.includes(id));
  const toggle = (id: string) =>
    choose(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  const rest = projects.length - shown.length;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would draw a frame around the buttons
    <div className="chips" role="group" aria-label={t('analytics.projects')}>
      <button
        className={chosen.length === 0 ? 'chip on' : 'chip'}
        type="button"
        aria-pressed={chosen.length === 0}
        onClick={() => choose([])}
      >
        {t('analytics.all_projects')}
      </button>
      {shown.map(({ id, title, place }) => {
        const isOn = chosen.includes(id);
        return (
          <button
            key={id}
            className={isOn ? 'chip on' : 'chip'}
            type="button"
            aria-pressed={isOn}
            onClick={() => toggle(id)}
          >
            <LineKey style={lineStyle(place)} />
            <bdi>{title}</bdi>
          </button>
        );
      })}
      {rest > 0 && (
        <button className="chip" type="button" onClick={() => setAll(true)}>
          {count('analytics.more_projects', rest)}
        </button>
      )}
    </div>
  );
}
