import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { Empty } from '../../platform/ui/Empty.tsx';
import type { NothingView } from './view.ts';

/**
 * The empty state of a search: which filters to remove and how many results that gives, or other types with results.
 */
export function NoResults({ nothing: { title, text, ways, elsewhere } }: { nothing: NothingView }) {
  const { t } = useMessages();
  return (
    <div className="nothing">
      <Empty title={title} text={text} />
      {ways.length > 0 && (
        <ul className="ways" aria-label={t('results.loosen')}>
          {ways.map((way) => (
            <li key={way.text}>
              <a className="btn" href={way.href}>
                <bdi>{way.text}</bdi> <span className="meta">{way.count}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
      {elsewhere && (
        <div data-elsewhere>
          <p>{elsewhere.text}</p>
          <ul className="ways row" aria-label={t('results.kinds')}>
            {elsewhere.ways.map((way) => (
              <li key={way.href}>
                <a className="chip" href={way.href}>
                  {way.text}
                </a>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
