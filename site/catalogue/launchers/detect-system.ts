/** The systems that an app may be offered for. */
export type System = 'windows' | 'mac' | 'linux';

interface Agent {
  userAgent: string;
  /** A tablet of Apple calls itself a Mac, but has a touch screen. */
  maxTouchPoints: number;
}

/** The system of a browser; null for phones, tablets and everything else. */
export function systemOf({ userAgent, maxTouchPoints }: Agent): System | null {
  if (/Android|CrOS|iPhone|iPad|iPod/.test(userAgent)) return null;
  if (/Windows NT/.test(userAgent)) return 'windows';
  if (/Macintosh/.test(userAgent)) return maxTouchPoints > 1 ? null : 'mac';
  return /Linux/.test(userAgent) ? 'linux' : null;
}
