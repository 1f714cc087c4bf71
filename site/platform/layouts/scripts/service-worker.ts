/**
 * Registers the service worker (site/public/service-worker.js), which shows a page of ours when the network cannot load
 * one. After everything else is loaded, so that it slows no first visit.
 */
const { lang, dataset } = document.documentElement;
const register = () =>
  navigator.serviceWorker.register(`/service-worker.js?build=${dataset.build}&hl=${lang}`);

// browsers offer it to secure pages only, and may refuse it: then theirs is the offline page
if ('serviceWorker' in navigator) addEventListener('load', () => void register().catch(() => {}));
