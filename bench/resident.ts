/** Resident memory of the site process at `url`, in bytes, from its own metrics. */
export async function residentBytes(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes\S* (\S+)/m.exec(text)?.[1] ?? 0);
}

/** Samples the memory of the site four times a second during `work`; gives the maximum in bytes. */
export async function peakWhile(url: string, work: () => Promise<unknown>): Promise<number> {
  let peak = await residentBytes(url);
  const look = () =>
    residentBytes(url).then(
      (now) => {
        peak = Math.max(peak, now);
      },
      () => {}, // the next sample counts
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
