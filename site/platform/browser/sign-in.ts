import { signInPath } from '../paths/sign-in-path.ts';

/** Redirects to sign-in, in the language of the page, and back to this page afterwards. */
export function signIn(): void {
  const to = new URL(signInPath(location.pathname + location.search + location.hash), location.href);
  const hl = new URLSearchParams(location.search).get('hl');
  if (hl) to.searchParams.set('hl', hl);
  location.assign(to);
}
