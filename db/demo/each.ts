/**
 * Runs `work` for every item, eight at a time, which keeps two cores and a disk busy. Rejects with the first failure.
 */
export async function each<T>(
  items: readonly T[],
  work: (item: T, at: number) => Promise<void>,
): Promise<void> {
  const rest = items.entries();
  const worker = async () => {
    for (const [at, item] of rest) await work(item, at);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}
