/** Whether this browser knows passkeys, and the page is at a host name: they belong to none of an address. */
export const passkeysWork = (): boolean =>
  'PublicKeyCredential' in window && !/^([\d.]+|\[.*\])$/.test(location.hostname);
