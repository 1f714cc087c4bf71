const probe_ms = 3_000;

/**
 * Where a transfer goes: to the machine of the server when that has a port of its own (`direct`) and is reached, else to
 * `address` on the site.
 */
export async function wayOf(
  url: string,
  { address, direct }: { address: string; direct?: string | undefined },
): Promise<string> {
  const atSite = url.replace(/\/+$/, '') + address;
  if (!direct) return atSite;
  const signal = AbortSignal.timeout(probe_ms);
  const found = await fetch(`${new URL(direct).origin}/transfers`, { method: 'OPTIONS', signal }).catch(
    () => null,
  );
  return found?.ok ? direct : atSite;
}
