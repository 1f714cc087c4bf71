import { useMessages } from '../../platform/text/MessagesContext.tsx';
import type { ChartLine } from './chart-lines.ts';
import type { Metric } from './choice.ts';
import { amountText, exactText } from './labels.ts';
import type { LineStyle } from './line-style.ts';

/** A piece of a line, as the chart draws it. */
export const LineKey = ({ style }: { style: LineStyle }) => (
  <svg className="line-key" viewBox="0 0 22 8" aria-hidden="true">
    <path
      d="M0 4H22"
      stroke={`var(${style.color})`}
      strokeWidth="3"
      strokeDasharray={style.dash.length > 0 ? style.dash.join(' ') : undefined}
    />
  </svg>
);

/** What the lines of the chart are, with their sums. */
export function Legend({ lines, metric }: { lines: readonly ChartLine[]; metric: Metric }) {
  const messages = useMessages();
  return (
    <ul className="legend">
      {lines.map((line) => (
        <li key={line.key}>
          <LineKey style={line.style} />
          <bdi>{line.name}</bdi>{' '}
          <b data-tip={exactText(messages, metric, line.sum)}>{amountText(messages, metric, line.sum)}</b>
        </li>
      ))}
    </ul>
  );
}
