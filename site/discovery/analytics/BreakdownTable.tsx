import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { Skeleton } from '../../platform/ui/Skeleton.tsx';
import type { ProjectIndex } from './chart-lines.ts';
import { type Breakdown, breakdowns, type Choice, fields, shownBreakdown } from './choice.ts';
import { amountText, exactText, flagOf, shareText } from './labels.ts';
import { most_rows } from './requests.ts';
import { type NamedRow, namedRows } from './row-names.ts';
import type { Rows } from './use-analytics.ts';

interface BreakdownProps {
  choice: Choice;
  rows: Rows | null;
  projects: ProjectIndex;
  loaders: Readonly<Record<string, string>>;
  choose(by: Breakdown): void;
}

/** What the chosen figure consists of: which release, which loader, which country. */
export function BreakdownTable({ choice, rows, projects, loaders, choose }: BreakdownProps) {
  const messages = useMessages();
  const { t } = messages;
  const by = shownBreakdown(choice);
  const offered = breakdowns.filter((one) => one !== 'project' || projects.size > 1);
  const isReady = rows?.by === by;
  return (
    <section className="breakdown" aria-labelledby="breakdown">
      <h2 id="breakdown">{t('analytics.breakdown')}</h2>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would draw a frame around the buttons */}
      <div className="chips" role="group" aria-label={t('analytics.by')}>
        {offered.map((one) => {
          const isCounted = fields[choice.metric][one] !== undefined;
          return (
            <button
              key={one}
              className={one === by ? 'chip on' : 'chip'}
              type="button"
              aria-pressed={one === by}
              aria-disabled={!isCounted}
              data-tip={isCounted ? undefined : t('analytics.not_of_metric')}
              onClick={() => isCounted && choose(one)}
            >
              {t(one === 'project' ? 'analytics.by_project_short' : `analytics.by_${one}`)}
            </button>
          );
        })}
      </div>
      {isReady ? (
        <Table rows={namedRows(messages, rows, projects, loaders)} choice={choice} by={by} />
      ) : (
        <Skeleton rows={4} of="lines" />
      )}
      {by === 'country' && isReady && rows.rows.length > 0 && (
        <p className="hint">{t('analytics.small_countries_text')}</p>
      )}
    </section>
  );
}

function Table({ rows, choice, by }: { rows: readonly NamedRow[]; choice: Choice; by: Breakdown }) {
  const messages = useMessages();
  const { t, count, link } = messages;
  const { metric } = choice;
  const whole = rows.reduce((sum, { amount }) => sum + amount, 0);
  const most = rows[0]?.amount ?? 1;
  const rest = rows.slice(most_rows);
  if (rows.length === 0) return <p className="hint">{t('analytics.no_rows')}</p>;
  const cells = (amount: number) => (
    <>
      <td className="number" data-tip={exactText(messages, metric, amount)}>
        {amountText(messages, metric, amount)}
      </td>
      <td className="number">{shareText(messages, amount, whole)}</td>
    </>
  );
  return (
    <table className="counts">
      <thead>
        <tr>
          <th scope="col">{t(by === 'project' ? 'analytics.by_project_short' : `analytics.by_${by}`)}</th>
          <th scope="col" className="number">
            {t(`analytics.metric_${metric}`)}
          </th>
          <th scope="col" className="number">
            {t('analytics.share')}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.slice(0, most_rows).map(({ value, name, note, path, amount }) => (
          <tr key={value}>
            <th scope="row">
              {by === 'country' && <span aria-hidden="true">{flagOf(value)} </span>}
              {path ? (
                <a href={link(path)}>
                  <bdi>{name}</bdi>
                </a>
              ) : (
                <bdi>{name}</bdi>
              )}
              {note && <bdi className="hint"> {note}</bdi>}
              <progress className="meter go" value={amount} max={most} aria-hidden="true" />
            </th>
            {cells(amount)}
          </tr>
        ))}
        {rest.length > 0 && (
          <tr>
            <th scope="row">{count('analytics.other_rows', rest.length)}</th>
            {cells(rest.reduce((sum, { amount }) => sum + amount, 0))}
          </tr>
        )}
      </tbody>
    </table>
  );
}
