import { logoPaths } from './logo-paths.ts';
import { srcSetOf } from './srcset.ts';

interface Props {
  url: string | null;
  /** Its width on the page in CSS pixels. */
  size?: number;
  /** Loaded first, for the one at the top of a page. */
  eager?: boolean;
}

/** A project's icon, or dashed stones without one. */
export function ProjectIcon({ url, size = 40, eager = false }: Props) {
  if (url) {
    return (
      <img
        className="pic"
        src={url}
        srcSet={srcSetOf(url)}
        sizes={`${size}px`}
        alt=""
        width="96"
        height="96"
        loading={eager ? 'eager' : 'lazy'}
        decoding="async"
      />
    );
  }
  return (
    <span className="pic none">
      <svg
        aria-hidden="true"
        viewBox="0 0 32 32"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeDasharray="3 2.4"
      >
        {logoPaths.map((d) => (
          <path key={d} d={d} />
        ))}
      </svg>
    </span>
  );
}
