import { SaveButton } from '../../platform/save-to-collection/SaveButton.tsx';
import { ProjectIcon } from '../../platform/ui/ProjectIcon.tsx';
import type { CompactProjectView } from './view.ts';

/** A project as one short line, a link; at the end the value that the list is sorted by. */
export function CompactProject({
  id,
  href,
  title,
  description,
  icon,
  save,
  figure: { text, tip, at, step },
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
          // the page's clock keeps it up to date
          <time dateTime={at} title={tip} data-relative={step} suppressHydrationWarning>
            {text}
          </time>
        ) : (
          <span title={tip}>{text}</span>
        )}
      </span>
      <SaveButton id={id} label={save} />
    </li>
  );
}
