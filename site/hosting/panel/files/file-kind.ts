import type { FileEntry } from '#control/protocol/files.ts';

/** What a file is by its name: what opens it, and how its text is colored. Pure. */
export type FileKind = 'directory' | 'link' | 'other' | 'text' | 'image' | 'archive' | 'file';
export type EditorMode = 'json' | 'yaml' | 'toml' | 'properties' | 'sh' | 'plain';

/** Largest file that the editor opens. Source: hosting §1e. */
export const max_text_bytes = 2 * 1024 * 1024;
/** Largest picture that is shown. */
const max_image_bytes = 20 * 1024 * 1024;

const modes: Record<string, EditorMode> = {
  ...{ json: 'json', json5: 'json', jsonc: 'json', mcmeta: 'json', snbt: 'json', map: 'json' },
  ...{ yml: 'yaml', yaml: 'yaml', toml: 'toml' },
  ...{
    properties: 'properties',
    cfg: 'properties',
    conf: 'properties',
    ini: 'properties',
    env: 'properties',
  },
  ...{ sh: 'sh', bash: 'sh', command: 'sh' },
};
const plain = new Set(
  'txt log md csv tsv html css xml js mjs ts py lua java kt mcfunction lang bat ps1 sk gitignore license'.split(
    ' ',
  ),
);
const images = new Set(['png', 'jpg', 'jpeg', 'gif', 'webp', 'bmp', 'avif', 'ico']);
const archive = /\.(zip|jar|mrpack|tar|tgz|gz|zst)$/i;
/** Bytes that are no text, however small the file is. */
const binary = new Set(
  'jar mca mcr dat dat_old nbt schem schematic litematic class so dll exe bin db sqlite ogg mp3 ttf woff woff2 lock'.split(
    ' ',
  ),
);

const extensionOf = (name: string): string =>
  name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : '';

export function kindOf({ name, type }: Pick<FileEntry, 'name' | 'type'>): FileKind {
  if (type !== 'file') return type;
  const extension = extensionOf(name);
  if (images.has(extension)) return 'image';
  if (archive.test(name)) return 'archive';
  return Object.hasOwn(modes, extension) || plain.has(extension) ? 'text' : 'file';
}

/** How the editor colors a file of this name. */
export const modeOf = (name: string): EditorMode => {
  const extension = extensionOf(name);
  return Object.hasOwn(modes, extension) ? modes[extension]! : 'plain';
};

export type Opens = 'folder' | 'editor' | 'image' | 'unpack' | null;

/** What a press on an entry opens; null when it can only be downloaded. A file without a known name may be text. */
export function opens(entry: Pick<FileEntry, 'name' | 'type' | 'bytes'>): Opens {
  const kind = kindOf(entry);
  if (kind === 'directory') return 'folder';
  if (kind === 'archive') return 'unpack';
  if (kind === 'image') return entry.bytes <= max_image_bytes ? 'image' : null;
  const mayBeText = kind === 'text' || (kind === 'file' && !binary.has(extensionOf(entry.name)));
  return mayBeText && entry.bytes <= max_text_bytes ? 'editor' : null;
}
