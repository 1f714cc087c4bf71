import { ProjectIcon } from '../ui/ProjectIcon.tsx';
import type { CompactProjectView } from './view.ts';

/** A project in one short line, its link; at the end the figure the list is sorted by. */
export function CompactProject({
  href,
  title,
  description,
  icon,
  figure: { text, tip, at },
}: CompactProjectView) {
  return (
    <li>
      <ProjectIcon url={icon} />
      <div>
        <a className="name clip" href={href}>
          <bdi>{title}</bdi>
        </a>
        <bdi className="meta clip">{description}</bdi>
      </div>
      <span className="meta">
        {at ? (
          // the page's clock keeps it true
          <time dateTime={at} title={tip} data-relative suppressHydrationWarning>
            {text}
          </time>
        ) : (
          <span title={tip}>{text}</span>
        )}
      </span>
    </li>
  );
}
