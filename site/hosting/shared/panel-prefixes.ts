import { sizeTexts } from '../../platform/text/bytes.ts';
import { loaderNameTexts } from './loader-name.ts';

/** What the list of servers and the panel say: their own texts, and why a rule does not allow an action now. */
export const panelPrefixes = ['servers.', ...loaderNameTexts, 'error.command_', 'error.server_'] as const;
/** The same, with the page of a server's files. */
export const filesPrefixes = [...panelPrefixes, ...sizeTexts, 'server_files.', 'crash_help.'] as const;
/** The same, with what a new server is asked. */
export const overviewPrefixes = [...panelPrefixes, 'server_content.first_', 'crash_help.'] as const;
