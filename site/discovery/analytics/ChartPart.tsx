import { type ReactNode, useMemo } from 'react';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { later } from '../../platform/ui/later.tsx';
import type { ChartLine, ProjectIndex } from './chart-lines.ts';
import { type Choice, chartForms } from './choice.ts';
import { Legend } from './Legend.tsx';
import { MarkList } from './MarkList.tsx';
import { marksOf } from './marks.ts';
import { type Figures, stepOf } from './requests.ts';

const SummedChart = later(
  async () => (await import('./SummedChart.tsx')).SummedChart,
  <div className="chart" />,
);
const TimesTable = later(async () => (await import('./TimesTable.tsx')).TimesTable);

interface ChartPartProps {
  choice: Choice;
  change(changed: Partial<Choice>): void;
  figures: Figures;
  lines: readonly ChartLine[];
  projects: ProjectIndex;
}

/** The chosen figure over time: lines, bars or a table, what they are, and what happened meanwhile. */
export function ChartPart({ choice, change, figures, lines, projects }: ChartPartProps) {
  const messages = useMessages();
  const { t } = messages;
  const { metric, form } = choice;
  const { period, events, announcements, series } = figures;
  const { times, sum } = series[metric];
  const marks = useMemo(
    () => marksOf(events, announcements, metric, period),
    [events, announcements, metric, period],
  );
  const step = stepOf(period.minutes);
  const drawn = { lines, times, metric, minutes: period.minutes };
  return (
    <div>
      <div className="chart-head">
        <Segments label={t('analytics.form')}>
          {chartForms.map((one) => (
            <Segment key={one} isOn={one === form} act={() => change({ form: one })}>
              {t(`analytics.form_${one}`)}
            </Segment>
          ))}
        </Segments>
        {projects.size > 1 && (
          <Segments label={t('analytics.split')}>
            <Segment isOn={!choice.total} act={() => change({ total: false })}>
              {t('analytics.by_project')}
            </Segment>
            <Segment isOn={choice.total} act={() => change({ total: true })}>
              {t('analytics.total')}
            </Segment>
          </Segments>
        )}
      </div>
      {form === 'table' ? (
        <TimesTable {...drawn} />
      ) : (
        <>
          <SummedChart {...drawn} {...{ form, marks, period, sum }} />
          <Legend lines={lines} metric={metric} />
        </>
      )}
      <p className="hint">
        {messages.count(`analytics.step_${step.unit}`, step.count)} {t('analytics.utc')}
      </p>
      <MarkList marks={marks} projects={projects} />
    </div>
  );
}

const Segments = ({ label, children }: { label: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset would draw a frame around the buttons
  <div className="seg" role="group" aria-label={label}>
    {children}
  </div>
);

const Segment = ({ isOn, act, children }: { isOn: boolean; act(): void; children: ReactNode }) => (
  <button className="btn" type="button" aria-pressed={isOn} onClick={act}>
    {children}
  </button>
);
