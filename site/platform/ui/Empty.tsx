import type { ReactNode } from 'react';
import { logoPaths } from './logo-paths.ts';

interface EmptyProps {
  title: string;
  text: string;
  /** At most one action. */
  children?: ReactNode;
}

/** An empty state: dashed stones, and what is missing. */
export const Empty = ({ title, text, children }: EmptyProps) => (
  <div className="empty">
    <svg
      viewBox="0 0 32 32"
      fill="none"
      stroke="currentColor"
      strokeDasharray="2 1.6"
      strokeWidth=".8"
      aria-hidden="true"
    >
      {logoPaths.map((d) => (
        <path key={d} d={d} />
      ))}
    </svg>
    <h2>{title}</h2>
    <p>{text}</p>
    {children}
  </div>
);
