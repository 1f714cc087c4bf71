import type { Messages } from '#content/messages.ts';
import { count, exactDate, relativeDate } from '../text/format.ts';
import { Icon } from '../ui/Icon.tsx';
import { Pic } from '../ui/Pic.tsx';
import type { Hit } from './hit.ts';

interface RowProps {
  hit: Hit;
  href: string;
  /** Where its author lies. */
  author: string;
  by: string;
  names: Record<string, string>;
  messages: Messages;
  now: string;
}

/** One project of a list: the whole row is its link, with its author's above it. */
export function Row({ hit, href, author, by, names, messages, now }: RowProps) {
  const when = hit.date_modified;
  return (
    <li>
      <Pic url={hit.icon_url} />
      <div>
        <h3 className="name">
          <a href={href}>
            <bdi>{hit.title}</bdi>
          </a>{' '}
          <span className="by">
            {by}{' '}
            <a href={author}>
              <bdi>{hit.author}</bdi>
            </a>
          </span>
        </h3>
        <p>
          <bdi>{hit.description}</bdi>
        </p>
        <div className="tags">
          {hit.display_categories.map((name) => (
            <span key={name}>{names[name] ?? name}</span>
          ))}
        </div>
      </div>
      <div className="stats">
        <span>{count(messages, hit.downloads)}</span>
        <Icon name="download" />
        <span>{count(messages, hit.follows)}</span>
        <Icon name="heart" />
        <time dateTime={when} title={exactDate(messages, when)}>
          {relativeDate(messages, when, new Date(now))}
        </time>
        <Icon name="history" />
      </div>
    </li>
  );
}
