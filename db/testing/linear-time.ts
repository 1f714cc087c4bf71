/**
 * Measures whether work takes linear time: one mebibyte of what a pattern looks for, or nearly so, takes at most twelve times
 * as long as an eighth of it. The texts are made of the pattern's own letters, since those make it begin again and again.
 */
const large = 1024 * 1024;
const small = large / 8;
/** Eight would be exactly linear. */
const most_times = 12;
/** The large text in less than this harms nobody, and is not measured well. */
const harmless_ms = 60;
/** The small text in less than this: squared, it would be many times as long. */
const certain_ms = 1.5;

/** Texts that a pattern says itself, such as `eyJ` and `://`, alone and with what may stand between. */
export function seedsOf(source: string): string[] {
  const literals = source.match(/[A-Za-z_:/.@=-]{2,}/g) ?? [];
  const plain = literals.map((one) => one.replaceAll('\\', ''));
  return [...new Set(plain)].flatMap((one) => [`-${one}`, `${one}="`]);
}

/** About `count` of them, evenly. */
export function sampleOf<T>(all: readonly T[], count: number): T[] {
  const step = Math.max(1, Math.floor(all.length / count));
  return all.filter((_, at) => at % step === 0);
}

/** As bytes that arrived: a repeated string would be put together only when it is read. */
const textOf = (seed: string, length: number): string =>
  Buffer.from(seed.repeat(Math.ceil(length / seed.length)).slice(0, length)).toString();

/** Processor time of this thread in milliseconds: other programs of a busy machine do not count. */
function cost(work: () => unknown): number {
  const began = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(began);
  return (user + system) / 1000;
}

/** How many times as long the large text takes; measured again, and the least taken, where it seems too long. */
function timesOf(work: (text: string) => unknown, seed: string): number {
  const less = textOf(seed, small);
  let fewest = cost(() => work(less));
  if (fewest < certain_ms) return 0;
  const more = textOf(seed, large);
  let most = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 25; tries += 1) {
    most = Math.min(
      most,
      cost(() => work(more)),
    );
    if (most < harmless_ms || most / fewest <= most_times) break;
    // no disturbance lasts that long
    if (tries > 3 && most / fewest > 2 * most_times) break;
    fewest = Math.min(
      fewest,
      cost(() => work(less)),
    );
  }
  return most < harmless_ms ? 0 : most / fewest;
}

/** The texts of `seeds` with which `work` does not take linear time, each with how many times as long it took. */
export const slowSeeds = (work: (text: string) => unknown, seeds: readonly string[]): string[] =>
  seeds.flatMap((seed) => {
    const times = timesOf(work, seed);
    return times > most_times ? [`${JSON.stringify(seed)}: ${times.toFixed(1)} times`] : [];
  });
