import { planesApart } from '#db/hosting/planes/rules.ts';
import type { PlaneView } from '#db/hosting/planes/view.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { Alert } from '../shared/Alert.tsx';
import { Icon } from '../shared/Icon.tsx';

/** The control planes of the installation, with what each of them holds and serves. */
export function Planes({ planes }: { planes: readonly PlaneView[] }) {
  const { t } = useMessages();
  return (
    <section className="planes" aria-labelledby="planes">
      <h2 id="planes">{t('nodes.planes')}</h2>
      {planes.length === 0 && (
        <Alert tone="warn" title={t('nodes.no_planes')}>
          {t('nodes.no_planes_text')}
        </Alert>
      )}
      {planesApart(planes).length > 0 && (
        <Alert tone="warn" title={t('nodes.planes_apart')}>
          {t('nodes.planes_apart_text')}
        </Alert>
      )}
      <ul className="nodes">
        {planes.map((plane) => (
          <Plane key={plane.id} plane={plane} />
        ))}
      </ul>
    </section>
  );
}

function Plane({ plane }: { plane: PlaneView }) {
  const { t, count } = useMessages();
  const { alive } = plane;
  return (
    <li>
      <div>
        <div className="row wrap">
          <h3 className="name">
            <bdi>{plane.host}</bdi>
          </h3>
          <span className={alive ? 'badge good' : 'badge bad'}>
            {alive ? <span className="live" /> : <Icon name="away" />}
            {t(alive ? 'nodes.state_online' : 'nodes.state_offline')}
          </span>
        </div>
        <div className="tags">
          <span>{t('nodes.plane_release', { version: plane.release })}</span>
          <bdi dir="ltr">{plane.address}</bdi>
        </div>
        {!alive && <p className="why">{t('nodes.why_plane_away')}</p>}
      </div>
      <div className="cap">{count('nodes.plane_agents', plane.agents)}</div>
      <div className="cap">{count('nodes.plane_leases', plane.leases)}</div>
      <div className="cap">{count('nodes.plane_viewers', plane.viewers)}</div>
    </li>
  );
}
