import type { AuditName } from '#db/moderation/audit/names.ts';
import { collectionPath, organizationPath, userPath } from '../../../platform/paths/routes.ts';

/** Where staff see what an entry of the audit log is about; null where there is no page of it. */
export function subjectPath({ type, id, name, slug }: AuditName): string | null {
  switch (type) {
    case 'user':
      return userPath(name);
    case 'project':
    case 'version':
      return slug && `/project/${slug}`;
    case 'organization':
      return slug && organizationPath(slug);
    case 'collection':
      return collectionPath(id);
    case 'server':
      return `/servers/manage/${id}`;
    case 'report':
      return `/moderation/reports/${id}`;
    case 'node':
      return '/servers/admin';
    case 'notice':
      return '/admin/servers/notices';
    default:
      return null;
  }
}
