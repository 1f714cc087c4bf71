/** Redirects to sign-in at `path`, and back to this page afterwards. */
export function signIn(path: string): void {
  const to = new URL(path, location.href);
  to.searchParams.set('redirect', location.pathname + location.search + location.hash);
  location.assign(to);
}
