import { logoPaths } from '../../ui/logo-paths.ts';

/** What tells servers apart at a glance: three stones, the top one in a colour of its own. */
export function ServerGlyph({ id }: { id: string }) {
  const seed = [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7);
  return (
    <span className={`pic mark m${(seed % 5) + 1}`}>
      <svg viewBox="0 0 32 32" aria-hidden="true">
        {logoPaths.map((d) => (
          <path key={d} d={d} />
        ))}
      </svg>
    </span>
  );
}
