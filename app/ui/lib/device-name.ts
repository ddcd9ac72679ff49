const BROWSERS = [
  [/\bEdg(A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const;

const SYSTEMS = [
  [/Windows/, 'Windows'],
  [/iPhone|iPad/, 'iOS'],
  [/Mac OS X/, 'macOS'],
  [/Android/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/Linux/, 'Linux'],
] as const;

/** Product name of a client that is not a browser, such as 'curl' in 'curl/8.0'. */
const PROGRAM = /^(?!Mozilla\b)[\w.-]+/;

/** Returns a name such as 'Firefox on Linux' or 'curl' for a User-Agent header, or 'Unknown device'. */
export function deviceName(userAgent: string): string {
  const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  return [browser, system].filter(Boolean).join(' on ') || PROGRAM.exec(userAgent)?.[0] || 'Unknown device';
}
