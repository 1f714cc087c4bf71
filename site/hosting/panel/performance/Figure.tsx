import { useCallback, useState } from 'react';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { type Chart, highest, isKnown, newest, type Points } from './charts.ts';
import { Plot, topOf } from './Plot.tsx';
import type { Range } from './performance.store.ts';
import { timeFormat, valueText } from './units.ts';

interface FigureProps {
  chart: Chart;
  points: Points;
  range: Range;
  server: ServerView;
}

/** One chart with its name, its newest values, or those under the pointer. */
export function Figure({ chart, points, range, server }: FigureProps) {
  const messages = useMessages();
  const { t, formatting } = messages;
  const [place, setPlace] = useState<number | null>(null);
  const onPoint = useCallback((at: number | null) => setPlace(at), []);
  const text = (value: number | null) => valueText(messages, chart.unit, value);
  const label = t(chart.label);
  if (!isKnown(points, chart)) {
    const why = chart.id === 'tick' ? 'server_figures.no_tick' : 'server_figures.no_players';
    return (
      <figure className="fig">
        <figcaption>
          <h2>{label}</h2>
        </figcaption>
        <p className="hint">
          {t(chart.id === 'tick' || chart.id === 'players' ? why : 'server_figures.none_text')}
        </p>
      </figure>
    );
  }
  const shown = chart.lines.filter(({ name }) => points[name].some((value) => value !== null));
  const at = place === null ? undefined : points.times[place];
  return (
    <figure className="fig">
      <figcaption>
        <h2>{label}</h2>
        {/* what a pointer shows is in the table too: it is not said each time */}
        <p className="vals" aria-hidden="true">
          {at !== undefined && <time>{timeFormat(formatting, range).format(at * 1000)}</time>}
          {shown.map(({ name, label: of }, line) => (
            <span key={name} className={`val l${chart.lines.findIndex((one) => one.name === name)}`}>
              {shown.length > 1 && t(of)}{' '}
              <b>{text(points[name][place ?? points.times.length - 1] ?? null)}</b>
              {line === 0 &&
                chart.limit &&
                ` ${t('server_figures.of', { limit: text(server[chart.limit]) })}`}
            </span>
          ))}
        </p>
        <p className="hide">
          {shown
            .map(({ name, label: of }) =>
              t('server_figures.summary', {
                name: t(of),
                value: text(newest(points[name])),
                most: text(highest(points[name])),
              }),
            )
            .join('. ')}
        </p>
      </figcaption>
      <Plot {...{ chart, points, range, onPoint }} top={topOf(chart, points, server)} />
    </figure>
  );
}
