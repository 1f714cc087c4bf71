import { logoPaths } from '../../ui/logo-paths.ts';

/** A small pattern to tell servers apart: three stones, the top one in its own color. */
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
