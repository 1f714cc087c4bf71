/** The path of the second step of a sign-in, which leads on to `back`, a local path. */
export const twoFactorPath = (back: string | null): string =>
  back === null ? '/auth/two-factor' : `/auth/two-factor?redirect=${encodeURIComponent(back)}`;
