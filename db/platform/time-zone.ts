/** Whether this is the name of a time zone of the IANA database that is known here; offsets such as `+02:00` are none. */
export function isTimeZone(name: string): boolean {
  if (name.length > 60 || !/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null;
  } catch {
    return false;
  }
}
