import { type FoundRecord, zoneText } from '#db/hosting/servers/network/rules.ts';
import type { DomainView } from '#db/hosting/servers/network/view.ts';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { Icon } from '../../../shared/Icon.tsx';

const isSame = (one: FoundRecord) => (other: FoundRecord) =>
  one.type === other.type && one.name === other.name && one.value === other.value;

/** The records that a domain needs, for copying, and what else was found. */
export function DomainRecords({ view }: { view: DomainView }) {
  const { t } = useMessages();
  const { domain, records, found } = view;
  const others = found.records.filter((one) => !records.some(isSame(one)));
  const zone = zoneText(records);
  return (
    <div className="stack">
      <h3 id="records">{t('server_network.records')}</h3>
      <p className="hint">{t('server_network.records_hint')}</p>
      <table className="tbl records" aria-labelledby="records">
        <thead>
          <tr>
            <th scope="col">{t('server_network.record_type')}</th>
            <th scope="col">{t('server_network.record_name')}</th>
            <th scope="col">{t('server_network.record_value')}</th>
            <th scope="col">{t('server_network.record_state')}</th>
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <tr key={record.type}>
              <td>
                <code dir="ltr">{record.type}</code>
              </td>
              <td>
                <Copied what={t('server_network.record_name')} record={record} value={record.name} />
              </td>
              <td>
                <Copied what={t('server_network.record_value')} record={record} value={record.value} />
              </td>
              <td>
                {t(found.records.some(isSame(record)) ? 'server_network.found' : 'server_network.not_found')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {others.length > 0 && (
        <div>
          <p>{t('server_network.others_found')}</p>
          <ul className="others" dir="ltr">
            {others.map((one) => (
              <li key={`${one.type} ${one.value}`}>
                <code>{`${one.type} ${one.name} ${one.value}`}</code>
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className="acts">
        <button className="btn s" type="button" data-copy={zone} data-copied={t('servers.copied')}>
          <Icon name="copy" />
          {t('server_network.copy_all')}
        </button>
        <a
          className="btn s"
          download={`${domain}.zone.txt`}
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(zone)}`}
        >
          {t('server_network.export')}
        </a>
      </div>
    </div>
  );
}

function Copied({ what, record, value }: { what: string; record: FoundRecord; value: string }) {
  const { t } = useMessages();
  const label = t('server_network.copy_what', { what, type: record.type });
  return (
    <span className="copied">
      <code dir="ltr">{value}</code>
      <button
        className="btn quiet s icon"
        type="button"
        aria-label={label}
        data-tip={label}
        data-copy={value}
        data-copied={t('servers.copied')}
      >
        <Icon name="copy" />
      </button>
    </span>
  );
}
