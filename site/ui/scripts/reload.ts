import { isMissingScript, mayReload } from '../reload-guard.ts';

/**
 * A part of the page that cannot be fetched mostly belongs to a build that is gone: the page is loaded anew, once in
 * ten seconds per path. Without a connection that would only lose what is there. Source: specification §4 (Navigation), §9.
 */
function reload(event: Event, error: unknown): void {
  if (!isMissingScript(error) || !navigator.onLine) return;
  try {
    if (!mayReload(sessionStorage, location.pathname, Date.now())) return;
  } catch {
    return; // nothing can be remembered, so nothing is tried
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
