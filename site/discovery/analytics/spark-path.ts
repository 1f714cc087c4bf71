/** Points of a line of this size: more would not be seen. */
const most_points = 50;

/** The path of a small line without axes in a box of 100 by 24; neighbours share a point where there are many. */
export function sparkPath(values: readonly number[]): string {
  const size = Math.ceil(values.length / most_points);
  const sums: number[] = [];
  for (let from = 0; from < values.length; from += size)
    sums.push(values.slice(from, from + size).reduce((sum, value) => sum + value, 0));
  const most = Math.max(1, ...sums);
  const step = 100 / Math.max(1, sums.length - 1);
  return sums
    .map((sum, place) => `${place === 0 ? 'M' : 'L'}${round(place * step)} ${round(23 - (sum / most) * 22)}`)
    .join('');
}

const round = (number: number) => Math.round(number * 10) / 10;
