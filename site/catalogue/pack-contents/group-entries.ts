import type { ProjectType } from '#db/catalogue/tags/rules.ts';
import type { PackEntry } from '#db/catalogue/versions/pack-contents/read.ts';
import { projectTypes, typeOfProject } from '../../platform/paths/project-types.ts';

/** What the folder of a file says about its kind. */
const folders: Partial<Record<string, ProjectType>> = {
  mods: 'mod',
  resourcepacks: 'resourcepack',
  shaderpacks: 'shader',
  datapacks: 'datapack',
};

/** The kind of an entry that this site hosts: by its folder, for a project may have several; null for other files. */
export function kindOf({ path, hosted }: PackEntry): ProjectType | null {
  if (!hosted) return null;
  const [folder] = path.split('/', 1);
  return folders[path.includes('/') ? folder! : ''] ?? typeOfProject(hosted.project).type;
}

/** How an entry is called: its project, else its path. */
const nameOf = ({ hosted, path }: PackEntry): string => hosted?.project.title ?? path;

/** Entries of one kind by name; `kind` is null for files from elsewhere, which come last. */
interface EntryGroup {
  kind: ProjectType | null;
  entries: PackEntry[];
}

/** The entries by kind, in the order of the kinds. */
export function groupEntries(entries: readonly PackEntry[], formatting: string): EntryGroup[] {
  const { compare } = new Intl.Collator(formatting, { numeric: true });
  const byKind = Map.groupBy(entries, kindOf);
  return [...projectTypes.map(({ type }) => type), null].flatMap((kind) => {
    const group = byKind.get(kind);
    return group ? [{ kind, entries: group.toSorted((a, b) => compare(nameOf(a), nameOf(b))) }] : [];
  });
}

/** The entries whose name, path or version number contains the text, whatever its case. */
export function matching(entries: readonly PackEntry[], text: string): PackEntry[] {
  const typed = text.trim().toLowerCase();
  if (typed === '') return [...entries];
  return entries.filter(({ path, hosted }) =>
    [path, hosted?.project.title, hosted?.version?.version_number].some((part) =>
      part?.toLowerCase().includes(typed),
    ),
  );
}
