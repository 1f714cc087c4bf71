/**
 * The path of the sign-in page. Afterwards it redirects to `back`, a local path with its query, except to pages of
 * signing in.
 */
export function signInPath(back: string | null = null): string {
  if (back === null || back.startsWith('/auth/')) return '/auth/sign-in';
  return `/auth/sign-in?redirect=${encodeURIComponent(back)}`;
}
