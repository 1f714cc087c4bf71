/** Minor units as a decimal with two places, as providers and banks take it: `5` is `0.05`. */
export function decimalOf(minor: number): string {
  const digits = String(minor).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
