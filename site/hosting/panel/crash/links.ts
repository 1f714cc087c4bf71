import type { MessageKey } from '#content/keys.ts';
import type { CrashLink } from '#db/hosting/servers/crashes/rules.ts';
import type { Finding } from '#db/hosting/servers/crashes/view.ts';

/** Where a cause leads, below the panel of its server; plans are not there. */
const paths: Record<Exclude<CrashLink, 'plans'>, string> = {
  startup: '/options/startup',
  content: '/content',
  properties: '/options/properties',
  loader: '/options/loader',
  backups: '/backups',
  files: '/files',
};

/** The page that helps with a cause on server `id`, null without one; content is searched for what the cause is about. */
export function helpOf(
  link: (path: string) => string,
  id: string,
  { link: to, what }: Finding,
): { href: string; text: MessageKey } | null {
  if (to === null) return null;
  const path = link(to === 'plans' ? '/servers' : `/servers/manage/${id}${paths[to]}`);
  if (to !== 'content' || what === '') return { href: path, text: `crash_help.go_${to}` };
  const find = `find=${encodeURIComponent(what)}`;
  return { href: `${path}${path.includes('?') ? '&' : '?'}${find}`, text: 'crash_help.go_content_of' };
}
