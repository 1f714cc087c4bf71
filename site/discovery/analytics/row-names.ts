import type { PageMessages } from '../../platform/text/MessagesContext.tsx';
import type { ProjectIndex } from './chart-lines.ts';
import { valueName } from './labels.ts';
import type { BreakdownRow } from './series.ts';
import type { Rows } from './use-analytics.ts';

/** A row of a breakdown as people read it. */
export interface NamedRow extends BreakdownRow {
  name: string;
  /** The project of a version, where there are several. */
  note: string | null;
  path: string | null;
}

/** Names the rows of a breakdown, and says where versions and projects are. */
export function namedRows(
  messages: PageMessages,
  { by, rows, versions }: Rows,
  projects: ProjectIndex,
  loaders: Readonly<Record<string, string>>,
): NamedRow[] {
  return rows.map((row) => {
    const project = projects.get(row.project);
    if (by === 'project')
      return { ...row, name: project?.title ?? row.value, note: null, path: project?.path ?? null };
    const name = versions[row.value] ?? valueName(messages, by, row.value, loaders);
    if (by !== 'version' || !project || !row.value) return { ...row, name, note: null, path: null };
    const note = projects.size > 1 ? project.title : null;
    return { ...row, name, note, path: `${project.path}/version/${row.value}` };
  });
}
