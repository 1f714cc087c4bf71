/**
 * Where one signs in. Afterwards it leads back to `back`, a path of ours with its query; pages of signing in are not
 * worth coming back to.
 */
export function signInPath(back: string | null = null): string {
  if (back === null || back.startsWith('/auth/')) return '/auth/sign-in';
  return `/auth/sign-in?redirect=${encodeURIComponent(back)}`;
}
