import type { ServerContentType } from '#db/hosting/servers/content/view.ts';
import { changeErrors } from '../../hosting/panel/panel-texts.ts';
import { panelPrefixes } from '../../hosting/shared/panel-prefixes.ts';
import { sizeTexts } from '../../platform/text/bytes.ts';

/** The types of projects that are installed on servers. */
export type InstallType = ServerContentType | 'modpack';

/** What is said while content is chosen for a server: plans and changes as on its own page, and sizes. */
export const installPrefixes = [...panelPrefixes, ...sizeTexts, 'server_content.', ...changeErrors] as const;
