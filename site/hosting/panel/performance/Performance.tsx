import { useStore } from '@nanostores/react';
import { useEffect, useMemo } from 'react';
import type { MessageKey } from '#content/keys.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Empty } from '../../../platform/ui/Empty.tsx';
import { Skeleton } from '../../../platform/ui/Skeleton.tsx';
import { Alert } from '../../shared/Alert.tsx';
import { $connection, $samples } from '../core/panel.store.ts';
import { PanelFrame, type PanelProps } from '../PanelFrame.tsx';
import { charts, isKnown, livePoints, storedPoints } from './charts.ts';
import { Figure } from './Figure.tsx';
import { FiguresTable } from './FiguresTable.tsx';
import {
  $asTable,
  $figures,
  $problem,
  $range,
  chooseRange,
  loadFigures,
  type Range,
} from './performance.store.ts';

const ranges: Record<Range, MessageKey> = {
  live: 'server_figures.live',
  day: 'server_figures.day',
  week: 'server_figures.week',
  month: 'server_figures.month',
};
/** Minutes are written shortly after they are over. */
const refresh_ms = 60_000;

/** What one server uses: live, and over the last day, week and month. */
export const Performance = (props: PanelProps) => (
  <PanelFrame {...props} current="performance">
    {(server) => <Figures server={server} />}
  </PanelFrame>
);

function Figures({ server }: { server: ServerView }) {
  const { t } = useMessages();
  const range = useStore($range);
  const asTable = useStore($asTable);
  useEffect(() => {
    const stop = $connection.subscribe((state) => {
      if (state === 'open') void loadFigures();
    });
    const timer = setInterval(() => document.visibilityState === 'visible' && void loadFigures(), refresh_ms);
    return () => {
      stop();
      clearInterval(timer);
    };
  }, []);
  return (
    <div className="figures">
      <div className="figs-head">
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would draw a frame around four buttons */}
        <div className="seg" role="group" aria-label={t('server_figures.range')}>
          {(Object.keys(ranges) as Range[]).map((one) => (
            <button
              key={one}
              className="btn"
              type="button"
              aria-pressed={one === range}
              onClick={() => chooseRange(one)}
            >
              {t(ranges[one])}
            </button>
          ))}
        </div>
        <button className="btn" type="button" onClick={() => $asTable.set(!asTable)}>
          {t(asTable ? 'server_figures.as_charts' : 'server_figures.as_table')}
        </button>
      </div>
      <Shown server={server} range={range} asTable={asTable} />
    </div>
  );
}

function Shown({ server, range, asTable }: { server: ServerView; range: Range; asTable: boolean }) {
  const { t } = useMessages();
  const figures = useStore($figures);
  const samples = useStore($samples);
  const problem = useStore($problem);
  const live = range === 'live';
  const points = useMemo(
    () =>
      live
        ? livePoints(samples, server.cpu_millis / 10)
        : figures?.range === range
          ? storedPoints(figures)
          : null,
    [live, samples, figures, range, server.cpu_millis],
  );
  if (!points && problem)
    return (
      <Alert
        tone="bad"
        title={t('server_figures.load_failed')}
        action={
          <button className="btn" type="button" onClick={() => void loadFigures()}>
            {t('server_figures.reload')}
          </button>
        }
      >
        {problem.description}
      </Alert>
    );
  if (!points)
    return (
      <>
        <p className="hide" role="status">
          {t('server_figures.loading')}
        </p>
        <Skeleton rows={6} />
      </>
    );
  if (!charts.some((chart) => isKnown(points, chart)))
    return (
      <Empty
        title={t('server_figures.none')}
        text={t(
          live && server.state !== 'running' ? 'server_figures.none_live_text' : 'server_figures.none_text',
        )}
      />
    );
  return (
    <>
      {asTable ? (
        <FiguresTable points={points} range={range} />
      ) : (
        <div className="figs">
          {charts.map((chart) => (
            <Figure key={chart.id} {...{ chart, points, range, server }} />
          ))}
        </div>
      )}
      <p className="hint">
        {t('server_figures.zone', {
          zone: `\u2068${Intl.DateTimeFormat().resolvedOptions().timeZone}\u2069`,
        })}
      </p>
    </>
  );
}
