import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { type Metric, metrics } from './choice.ts';
import { amountText, changeText, exactText } from './labels.ts';
import type { Figures } from './requests.ts';
import { changeOf } from './series.ts';
import { sparkPath } from './spark-path.ts';

interface CardsProps {
  figures: Figures | null;
  metric: Metric;
  choose(metric: Metric): void;
}

/** The sums of the period; the chosen one is in the chart. */
export function Cards({ figures, metric, choose }: CardsProps) {
  const { t } = useMessages();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would draw a frame around three buttons
    <div className="cards" role="group" aria-label={t('analytics.metric')}>
      {metrics.map((one) => (
        <button key={one} type="button" aria-pressed={one === metric} onClick={() => choose(one)}>
          <span className="name">{t(`analytics.metric_${one}`)}</span>
          {figures ? <Sum figures={figures} metric={one} /> : <span className="ghost" />}
        </button>
      ))}
    </div>
  );
}

function Sum({ figures, metric }: { figures: Figures; metric: Metric }) {
  const messages = useMessages();
  const { t } = messages;
  const { sum, totals } = figures.series[metric];
  const before = figures.before?.[metric];
  const change = before ? changeOf(before.sum, sum) : null;
  const short = amountText(messages, metric, sum);
  const exact = exactText(messages, metric, sum);
  return (
    <>
      <b data-tip={exact} aria-hidden="true">
        {short}
      </b>
      <span className="hide">{exact}</span>
      <svg className="spark" viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true">
        <path d={sparkPath(totals)} vectorEffect="non-scaling-stroke" />
      </svg>
      {before && (
        <span className={change === null || change === 0 ? 'change' : `change ${change > 0 ? 'up' : 'down'}`}>
          {change === null
            ? sum > 0
              ? t('analytics.no_change')
              : ' '
            : t('analytics.change', { change: `\u2068${changeText(messages, change)}\u2069` })}
        </span>
      )}
    </>
  );
}
