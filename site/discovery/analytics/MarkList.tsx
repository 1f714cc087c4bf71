import { useState } from 'react';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import type { ProjectIndex } from './chart-lines.ts';
import { timeFormat } from './labels.ts';
import type { Mark } from './marks.ts';

/** Marks that are listed at first. */
const shown_marks = 5;
const most_marks = 100;

/** One sentence: what happened. */
export function MarkText({ mark }: { mark: Mark }) {
  const { t, parts } = useMessages();
  if (mark.kind === 'announcement') return <bdi>{mark.title}</bdi>;
  // names of the API, as they are: isolated, so that their direction does not affect the sentence
  const name = (status: string) => `\u2068${status}\u2069`;
  if (mark.kind === 'status')
    return t('analytics.event_status', { from: name(mark.from), to: name(mark.to) });
  return parts('analytics.event_version', { version: <bdi key="version">{mark.number}</bdi> });
}

/** The same as the pebbles on the axis of the chart, for everybody to read. */
export function MarkList({ marks, projects }: { marks: readonly Mark[]; projects: ProjectIndex }) {
  const { t, count, formatting, link } = useMessages();
  const [all, setAll] = useState(false);
  if (marks.length === 0) return null;
  const listed = marks.slice(0, all ? most_marks : shown_marks);
  const format = timeFormat(formatting, 24 * 60);
  return (
    <section className="marks" aria-label={t('analytics.events')}>
      <h2>{t('analytics.events')}</h2>
      <ul>
        {listed.map((mark, place) => {
          const project = mark.kind === 'announcement' ? undefined : projects.get(mark.project);
          const to =
            mark.kind === 'announcement'
              ? mark.url
              : mark.kind === 'version' && project
                ? link(`${project.path}/version/${mark.id}`)
                : null;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: two may happen at once, and the list is not reordered
            <li key={place}>
              <time dateTime={new Date(mark.at).toISOString()}>{format.format(mark.at)}</time>
              {to ? (
                <a href={to}>
                  <MarkText mark={mark} />
                </a>
              ) : (
                <span>
                  <MarkText mark={mark} />
                </span>
              )}
              {project && projects.size > 1 && <bdi className="hint">{project.title}</bdi>}
            </li>
          );
        })}
      </ul>
      {!all && marks.length > shown_marks && (
        <button className="btn s" type="button" onClick={() => setAll(true)}>
          {count('analytics.more_events', Math.min(marks.length, most_marks) - shown_marks)}
        </button>
      )}
    </section>
  );
}
