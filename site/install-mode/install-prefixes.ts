import type { ServerContentType } from '#db/servers/content/view.ts';
import { changeErrors } from '../servers/panel/content/content-prefixes.ts';
import { panelPrefixes } from '../servers/shared/panel-prefixes.ts';
import { sizeTexts } from '../text/bytes.ts';

/** The types of projects that are installed on servers. */
export type InstallType = ServerContentType | 'modpack';

/** What is said while content is chosen for a server: plans and changes as on its own page, and sizes. */
export const installPrefixes = [...panelPrefixes, ...sizeTexts, 'server_content.', ...changeErrors] as const;
