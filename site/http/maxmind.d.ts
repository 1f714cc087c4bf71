/** What we use of maxmind, a reader of databases of network addresses. */
declare module 'maxmind' {
  interface Reader {
    /** What the database says about an address; null when nothing. */
    get(address: string): unknown;
  }
  const maxmind: { open(path: string): Promise<Reader>; validate(address: string): boolean };
  export default maxmind;
}
