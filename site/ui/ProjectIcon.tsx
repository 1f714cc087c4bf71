import { logoPaths } from './logo-paths.ts';

/** A project's icon, or dashed stones without one. `eager`: loaded first, for the one at the top of a page. */
export function ProjectIcon({ url, eager = false }: { url: string | null; eager?: boolean }) {
  if (url) {
    const loading = eager ? 'eager' : 'lazy';
    return <img className="pic" src={url} alt="" width="96" height="96" loading={loading} decoding="async" />;
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
