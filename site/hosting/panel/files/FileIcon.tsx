import other from 'lucide-static/icons/box.svg?raw';
import file from 'lucide-static/icons/file.svg?raw';
import archive from 'lucide-static/icons/file-archive.svg?raw';
import image from 'lucide-static/icons/file-image.svg?raw';
import text from 'lucide-static/icons/file-text.svg?raw';
import directory from 'lucide-static/icons/folder.svg?raw';
import link from 'lucide-static/icons/link-2.svg?raw';
import upload from 'lucide-static/icons/upload.svg?raw';
import { Drawing } from '../../../platform/ui/Icon.tsx';
import type { FileKind } from './file-kind.ts';

const drawings = { archive, directory, file, image, link, other, text, upload };

/** The icon of a kind of file. */
export const FileIcon = ({ kind }: { kind: FileKind | 'upload' }) => <Drawing svg={drawings[kind]} />;
