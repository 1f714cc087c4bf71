/** Resident memory of the site process at `url`, in bytes, as it says itself. */
export async function residentBytes(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes\S* (\S+)/m.exec(text)?.[1] ?? 0);
}

/** Watches the memory of the site while `work` goes on: the highest of what was seen four times a second, in bytes. */
export async function peakWhile(url: string, work: () => Promise<unknown>): Promise<number> {
  let peak = await residentBytes(url);
  const look = () =>
    residentBytes(url).then(
      (now) => {
        peak = Math.max(peak, now);
      },
      () => {}, // the next look counts
    );
  const watch = setInterval(look, 250);
  try {
    await work();
    await look();
    return peak;
  } finally {
    clearInterval(watch);
  }
}
