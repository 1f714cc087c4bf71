import { isMissingScript, mayReload } from '../reload-guard.ts';

/**
 * A script that cannot be fetched mostly belongs to an old build: reloads the page, once in ten seconds per path.
 * Without a connection a reload would only lose the page. Source: specification §4 (Navigation), §9.
 */
function reload(event: Event, error: unknown): void {
  if (!isMissingScript(error) || !navigator.onLine) return;
  try {
    if (!mayReload(sessionStorage, location.pathname, Date.now())) return;
  } catch {
    return; // without storage there is no reload guard, so no reload
  }
  event.preventDefault();
  location.reload();
}

addEventListener('vite:preloadError', (event) =>
  reload(event, (event as Event & { payload: unknown }).payload),
);
addEventListener('unhandledrejection', (event) => reload(event, event.reason));
document.addEventListener('astro:hydration-error', (event) =>
  reload(event, (event as CustomEvent<{ error: unknown }>).detail.error),
);
