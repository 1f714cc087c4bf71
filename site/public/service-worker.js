/**
 * The service worker: a page that the network cannot load is answered with the offline page. It keeps nothing else and
 * touches no other request, so nothing old is ever shown as new. Its address has the build and language of the page that
 * registered it (site/platform/layouts/scripts/service-worker.ts); another address installs it again. With `remove` in its
 * address it removes itself and what it kept.
 */
const own = new URL(location.href).searchParams;
const isLeaving = own.has('remove');
const prefix = 'offline ';
const cacheName = `${prefix}${own.get('build')} ${own.get('hl')}`;
const offlinePage = `/offline?hl=${encodeURIComponent(own.get('hl') ?? '')}`;

async function install() {
  await skipWaiting();
  if (isLeaving) return;
  const cache = await caches.open(cacheName);
  await cache.add(new Request(offlinePage, { cache: 'reload' }));
}

async function activate() {
  for (const name of await caches.keys())
    if (name.startsWith(prefix) && (isLeaving || name !== cacheName)) await caches.delete(name);
  if (isLeaving) await registration.unregister();
  // the request for a page does not wait for this worker to start
  else await registration.navigationPreload?.enable();
}

async function answer(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    const kept = await (await caches.open(cacheName)).match(offlinePage);
    return kept ? new Response(kept.body, { status: 503, headers: kept.headers }) : Response.error();
  }
}

addEventListener('install', (event) => event.waitUntil(install()));
addEventListener('activate', (event) => event.waitUntil(activate()));
addEventListener('fetch', (event) => {
  const { mode, method } = event.request;
  if (!isLeaving && mode === 'navigate' && method === 'GET') event.respondWith(answer(event));
});
