import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { MessageKey } from '#content/keys.ts';
import { propertyGroups } from '#db/hosting/servers/properties/data/definitions.ts';
import type { PropertyView } from '#db/hosting/servers/properties/view.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { Empty } from '../../../../platform/ui/Empty.tsx';
import { Alert } from '../../../shared/Alert.tsx';
import { SearchInput } from '../../../shared/SearchInput.tsx';
import { useWithConnection } from '../../core/use-with-connection.ts';
import type { PanelProps } from '../../PanelFrame.tsx';
import { OptionsFrame } from '../OptionsFrame.tsx';
import { OptionsLoading } from '../OptionsLoading.tsx';
import { aboutText, nameText, PropertyRow } from './PropertyRow.tsx';
import { $drafts, $loaded, $problem, loadProperties, matching, problemOf } from './properties.store.ts';
import { SaveBar } from './SaveBar.tsx';

/** `server.properties` of one server: every setting with what it does, checked while it is typed. */
export const Properties = (props: PanelProps) => (
  <OptionsFrame {...props} option="properties">
    {(server) => <All server={server} />}
  </OptionsFrame>
);

function All({ server }: { server: ServerView }) {
  const labels = useMessages();
  const { t, link } = labels;
  const loaded = useStore($loaded);
  const problem = useStore($problem);
  const drafts = useStore($drafts);
  const [query, setQuery] = useState('');
  useWithConnection(loadProperties);
  useEffect(() => {
    // what was typed is lost with the page
    const warn = (event: BeforeUnloadEvent) => {
      if (Object.keys($drafts.get()).length > 0) event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, []);
  if (!loaded) return <OptionsLoading problem={problem} reload={loadProperties} />;
  const found = matching(
    loaded.properties,
    query,
    (key) => `${nameText(labels, key)} ${aboutText(labels, key)}`,
  );
  return (
    <div className="props">
      <div className="tools">
        <SearchInput label={t('server_options.search')} query={query} setQuery={setQuery} />
        {loaded.etag !== '' && (
          <a
            className="btn quiet"
            href={withQuery(link(`/servers/manage/${server.id}/files`), 'file=server.properties')}
          >
            {t('server_options.as_text')}
          </a>
        )}
      </div>
      {loaded.etag === '' && (
        <Alert tone="note" title={t('server_options.no_file_title')}>
          {t('server_options.no_file')}
        </Alert>
      )}
      {found.length === 0 && (
        <Empty title={t('server_options.none_found')} text={t('server_options.none_found_text')} />
      )}
      {[...propertyGroups, null].map((group) => (
        <Group
          key={group}
          group={group}
          properties={found.filter((one) => one.group === group)}
          drafts={drafts}
        />
      ))}
      <SaveBar server={server} />
    </div>
  );
}

/** An address with one more part of its query. */
const withQuery = (path: string, part: string): string => `${path}${path.includes('?') ? '&' : '?'}${part}`;

interface GroupProps {
  group: PropertyView['group'];
  properties: readonly PropertyView[];
  drafts: Readonly<Record<string, string>>;
}
function Group({ group, properties, drafts }: GroupProps) {
  const { t } = useMessages();
  if (properties.length === 0) return null;
  return (
    <section>
      <h2>{t(`server_options.group_${group ?? 'other'}` as MessageKey)}</h2>
      <ul className="plain-list">
        {properties.map((property) => (
          <PropertyRow
            key={property.key}
            property={property}
            draft={drafts[property.key]}
            problem={problemOf(property, drafts)}
            isLocked={false}
          />
        ))}
      </ul>
    </section>
  );
}
