import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { charts, isKnown, type Points, rowsOf } from './charts.ts';
import type { Range } from './performance.store.ts';
import { valueText } from './units.ts';

/** The same figures as a table, for those who cannot see charts; the newest first. */
export function FiguresTable({ points, range }: { points: Points; range: Range }) {
  const messages = useMessages();
  const { t, formatting } = messages;
  const date = new Intl.DateTimeFormat(formatting, {
    dateStyle: range === 'live' ? undefined : 'medium',
    timeStyle: range === 'live' ? 'medium' : 'short',
  });
  const columns = charts.flatMap((chart) =>
    isKnown(points, chart) ? chart.lines.map((line) => ({ chart, ...line })) : [],
  );
  const rows = rowsOf(points, range);
  return (
    <section className="scroll" aria-label={t('server_figures.heading')}>
      <table className="tbl">
        <thead>
          <tr>
            <th scope="col">{t('server_figures.time')}</th>
            {columns.map(({ chart, name, label }) => (
              <th key={name} scope="col" className="num">
                {chart.label === label ? t(label) : `${t(chart.label)}: ${t(label)}`}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.time}>
              <th scope="row">{date.format(row.time * 1000)}</th>
              {columns.map(({ chart, name }) => (
                <td key={name} className="num">
                  {valueText(messages, chart.unit, row[name])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
