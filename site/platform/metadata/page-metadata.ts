import type { Collection } from '#db/catalogue/collections/shape.ts';
import type { Organization } from '#db/catalogue/organizations/read.ts';
import type { User } from '#db/platform/people/shape.ts';
import { cardPath, collectionPath, organizationPath, projectsFeed, userPath } from '../paths/routes.ts';
import { bidiIsolated } from '../text/bidi.ts';
import { collectionSchema, organizationSchema, personSchema, type SchemaNode } from './json-ld.ts';

/** The metadata in the head of a page, as props of `Page`: Open Graph image, feeds, JSON-LD nodes. */
export interface PageMetadata {
  picture: string;
  feeds: Array<{ path: string; title: string }>;
  schema: SchemaNode[];
}
type Locals = Pick<App.Locals, 't' | 'services'>;

const about = (path: string, title: string, node: SchemaNode): PageMetadata => ({
  picture: cardPath(path),
  feeds: [{ path: projectsFeed(path), title }],
  schema: [node],
});

/** The metadata of a user's page. */
export const metadataOfUser = ({ t, services: { settings } }: Locals, user: User): PageMetadata =>
  about(
    userPath(user.username),
    t('feeds.projects_of', { name: bidiIsolated(user.username) }),
    personSchema(settings.SITE_URL, user),
  );

/** The metadata of an organization's page. */
export const metadataOfOrganization = (
  { t, services: { settings } }: Locals,
  organization: Organization,
): PageMetadata =>
  about(
    organizationPath(organization.slug),
    t('feeds.projects_of', { name: bidiIsolated(organization.name) }),
    organizationSchema(settings.SITE_URL, organization),
  );

/** The metadata of a collection's page. `curator`: the name of its owner. */
export const metadataOfCollection = (
  { t, services: { settings } }: Locals,
  collection: Collection,
  curator: string | null,
): PageMetadata =>
  about(
    collectionPath(collection.id),
    t('feeds.collection', { name: bidiIsolated(collection.name) }),
    collectionSchema(settings.SITE_URL, collection, curator),
  );
