import { hasConsent } from '../../consent/consent.ts';

/** Reports that this page was viewed, if the visitor allowed statistics and the browser does not object. */
export function reportView(): void {
  if (!hasConsent('analytics')) return;
  const body = new Blob([JSON.stringify({ url: location.origin + location.pathname })], {
    type: 'application/json',
  });
  navigator.sendBeacon('/analytics/view', body);
}
