import { hasConsent } from '../../consent/consent.ts';

// reports that this page was viewed, if the visitor allowed statistics and the browser does not object
if (hasConsent('analytics')) {
  const body = new Blob([JSON.stringify({ url: location.origin + location.pathname })], {
    type: 'application/json',
  });
  navigator.sendBeacon('/analytics/view', body);
}
