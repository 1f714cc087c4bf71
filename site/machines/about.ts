import type { Collection } from '#db/collections/shape.ts';
import type { Organization } from '#db/organizations/read.ts';
import type { User } from '#db/people/shape.ts';
import { cardAt } from '../cards/places.ts';
import { collectionPath, projectsFeed } from '../feeds/places.ts';
import { organizationPath, userPath } from '../profile/places.ts';
import { collectionThing, organizationThing, personThing, type Thing } from './json-ld.ts';
import { isolated } from './xml.ts';

/** What the head of a page tells programs, ready to be spread over the props of `Page`: picture, feeds, things. */
export interface About {
  picture: string;
  feeds: Array<{ path: string; title: string }>;
  things: Thing[];
}
type Locals = Pick<App.Locals, 't' | 'services'>;

const about = (path: string, title: string, thing: Thing): About => ({
  picture: cardAt(path),
  feeds: [{ path: projectsFeed(path), title }],
  things: [thing],
});

/** The same for a person's page. */
export const aboutUser = ({ t, services: { settings } }: Locals, user: User): About =>
  about(
    userPath(user.username),
    t('feeds.projects_of', { name: isolated(user.username) }),
    personThing(settings.SITE_URL, user),
  );

/** The same for an organization's page. */
export const aboutOrganization = ({ t, services: { settings } }: Locals, organization: Organization): About =>
  about(
    organizationPath(organization.slug),
    t('feeds.projects_of', { name: isolated(organization.name) }),
    organizationThing(settings.SITE_URL, organization),
  );

/** The same for a collection's page. `curator`: the name of whoever keeps it. */
export const aboutCollection = (
  { t, services: { settings } }: Locals,
  collection: Collection,
  curator: string | null,
): About =>
  about(
    collectionPath(collection.id),
    t('feeds.collection', { name: isolated(collection.name) }),
    collectionThing(settings.SITE_URL, collection, curator),
  );
