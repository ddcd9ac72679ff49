import { expect, test } from 'vitest';
import { deviceName } from './device-name.ts';

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605 Version/19.0 Mobile Safari/604.1',
    'Safari on iOS',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/150.0 Safari/537.36 Edg/150.0',
    'Edge on Windows',
  ],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) CriOS/150.0 Mobile Safari/604.1', 'Chrome on iOS'],
  [
    'Mozilla/5.0 (Linux; Android 16) SamsungBrowser/30.0 Chrome/150.0 Mobile Safari/537.36',
    'Samsung Internet on Android',
  ],
  ['Mozilla/5.0 (X11; CrOS x86_64 16000.0.0) AppleWebKit/537.36 Chrome/150.0 Safari/537.36', 'Chrome on ChromeOS'],
  ['curl/8.0', 'curl'],
  ['Mozilla/5.0', 'Unknown device'],
  ['', 'Unknown device'],
])('Parses the user agent %j as "%s"', (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name);
});
