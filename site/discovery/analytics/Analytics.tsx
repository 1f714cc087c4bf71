import { useMemo, useState } from 'react';
import type { IslandMessages } from '#content/island-messages.ts';
import { MessagesProvider, useMessages } from '../../platform/text/MessagesContext.tsx';
import { Empty } from '../../platform/ui/Empty.tsx';
import { Skeleton } from '../../platform/ui/Skeleton.tsx';
import { BreakdownTable } from './BreakdownTable.tsx';
import { Cards } from './Cards.tsx';
import { ChartPart } from './ChartPart.tsx';
import { Controls } from './Controls.tsx';
import { type AnalyticsProject, chartLines, indexOf } from './chart-lines.ts';
import { metrics, shownBreakdown } from './choice.ts';
import type { ExportKind } from './exports.ts';
import { Problem } from './Problem.tsx';
import { ProjectChips } from './ProjectChips.tsx';
import { namedRows } from './row-names.ts';
import { useAnalytics } from './use-analytics.ts';
import { useChoice } from './use-choice.ts';

interface AnalyticsProps {
  /** Whose figures are shown: at least one. */
  projects: readonly AnalyticsProject[];
  /** The query of the page, which says what is chosen. */
  search: string;
  /** Names of loaders. */
  loaders: Readonly<Record<string, string>>;
  messages: IslandMessages;
  /** `?hl=…` while the address has one. */
  query: string;
}

/** Downloads, views and playtime of projects: how many, when, and of what. */
export const Analytics = ({ messages, query, ...props }: AnalyticsProps) => (
  <MessagesProvider messages={messages} query={query}>
    <Screen {...props} />
  </MessagesProvider>
);

function Screen({ projects, search, loaders }: Omit<AnalyticsProps, 'messages' | 'query'>) {
  const messages = useMessages();
  const { t } = messages;
  const known = useMemo(() => projects.map(({ id }) => id), [projects]);
  const index = useMemo(() => indexOf(projects), [projects]);
  const [choice, change] = useChoice(search, known);
  const { figures, rows, problem, isLoading, reload } = useAnalytics(choice, known);
  const [said, setSaid] = useState('');
  const { metric, total } = choice;
  const by = shownBreakdown(choice);
  const lines = useMemo(
    () =>
      figures &&
      chartLines(messages, {
        ...{ series: figures.series[metric], before: figures.before?.[metric] ?? null },
        ...{ total, projects: index },
      }),
    [figures, messages, metric, total, index],
  );
  const save = async (kind: ExportKind) => {
    if (!figures || !lines || !rows) return;
    const { exportFile } = await import('./exports.ts');
    const { period, series } = figures;
    const named = namedRows(messages, rows, index, loaders);
    exportFile(kind, { choice, period, lines, by: rows.by, rows: named, times: series[metric].times });
    setSaid(t('analytics.saved'));
  };
  const isEmpty = figures !== null && metrics.every((one) => figures.series[one].sum === 0);
  return (
    <div className="analytics" aria-busy={isLoading}>
      <p className="hide" role="status">
        {isLoading ? t('analytics.loading') : said}
      </p>
      <Controls
        {...{ choice, change, isLoading, reload }}
        save={lines && rows?.by === by ? (kind) => void save(kind) : null}
      />
      {projects.length > 1 && (
        <ProjectChips
          projects={projects}
          chosen={choice.projects}
          choose={(ids) => change({ projects: ids })}
        />
      )}
      {problem && <Problem problem={problem} reload={reload} />}
      <Cards figures={figures} metric={metric} choose={(one) => change({ metric: one })} />
      {isEmpty && !problem ? (
        <Empty title={t('analytics.none')} text={t('analytics.none_text')}>
          {choice.range !== 'year' && choice.range !== 'all' && (
            <button className="btn" type="button" onClick={() => change({ range: 'year' })}>
              {t('analytics.longer')}
            </button>
          )}
        </Empty>
      ) : (
        <>
          {figures && lines ? (
            <ChartPart {...{ choice, change, figures, lines }} projects={index} />
          ) : (
            !problem && (
              <div className="chart">
                <Skeleton rows={5} of="lines" />
              </div>
            )
          )}
          {(figures || !problem) && (
            <BreakdownTable
              {...{ choice, rows, loaders }}
              projects={index}
              choose={(one) => change({ by: one })}
            />
          )}
        </>
      )}
    </div>
  );
}
