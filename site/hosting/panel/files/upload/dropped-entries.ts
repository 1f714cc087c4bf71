/** Files and folders that were dropped, read with everything in them. */

export interface PickedUpload {
  file: File;
  /** Below the folder that is shown. */
  path: string;
}
export interface Dropped {
  files: PickedUpload[];
  /** Folders without anything in them. */
  folders: string[];
  /** Whether there was more than is taken. */
  isCut: boolean;
}
/** Files of one drop. */
const max_dropped = 20_000;

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, fail) => entry.file(resolve, fail));

/** A reader gives about a hundred at a time, and nothing at the end. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, fail) => reader.readEntries(resolve, fail));
    if (part.length === 0 || all.length > max_dropped) return all;
    all.push(...part);
  }
}

export async function readDropped(entries: readonly (FileSystemEntry | null)[]): Promise<Dropped> {
  const found: Dropped = { files: [], folders: [], isCut: false };
  const walk = async (entry: FileSystemEntry, path: string): Promise<void> => {
    if (found.files.length >= max_dropped) {
      found.isCut = true;
      return;
    }
    if (entry.isFile) {
      found.files.push({ file: await fileOf(entry as FileSystemFileEntry), path });
      return;
    }
    const children = await childrenOf(entry as FileSystemDirectoryEntry);
    if (children.length === 0) found.folders.push(path);
    for (const child of children) await walk(child, `${path}/${child.name}`);
  };
  for (const entry of entries) if (entry) await walk(entry, entry.name);
  return found;
}
