import './css/wait.css';

interface SkeletonProps {
  /** Number of rows. */
  rows: number;
  /** The shape of the content: rows of a project list, or lines of text. */
  of?: 'list' | 'lines';
}
/** Widths of the lines, so that adjacent ones differ. Source: looks §4 (Skeleton). */
const widths = [
  [39, 76, 24],
  [48, 64, 24],
  [34, 70, 24],
] as const;

const Lines = ({ row }: { row: number }) => (
  <div className="ghosts">
    {widths[row % widths.length]!.map((width, line) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines have nothing else
      <span key={line} className="ghost" style={{ inlineSize: `${width}%` }} />
    ))}
  </div>
);

/** A loading placeholder. The parent announces the loading state (`aria-busy`, a live region). */
export function Skeleton({ rows, of = 'list' }: SkeletonProps) {
  const all = Array.from({ length: rows }, (_, row) => row);
  if (of === 'lines')
    return (
      <div aria-hidden="true">
        {all.map((row) => (
          <Lines key={row} row={row} />
        ))}
      </div>
    );
  return (
    <ul className="list" aria-hidden="true">
      {all.map((row) => (
        <li key={row}>
          <span className="pic ghost" />
          <Lines row={row} />
        </li>
      ))}
    </ul>
  );
}
