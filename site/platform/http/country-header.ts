/**
 * The country that a proxy in front names in the header `COUNTRY_HEADER`, ISO 3166; undefined without one, and for what is no
 * country (`XX`, `T1`).
 */
export function countryInHeader(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^[A-Za-z]{2}$/.test(value) || /^(XX|T1)$/i.test(value)) return undefined;
  return value.toUpperCase();
}
