import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';

/** Keeps Chromium from connecting to its own services. The sandbox does not work for root. */
export const CHROMIUM_ARGUMENTS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

/**
 * Returns the Chromium to test with: CHROMIUM_PATH, Playwright's own, or the system's. Installs one if all are missing.
 * @throws Error with a remedy
 */
export function requireChromium(): string {
  const custom = process.env['CHROMIUM_PATH'];
  if (custom && !existsSync(custom)) throw new Error(`CHROMIUM_PATH is ${custom}, but there is no such file.`);
  const path = custom ?? findChromium() ?? installChromium();
  if (!path) {
    throw new Error(
      'The browser tests need Chromium: install it (on Debian `apt-get install chromium`) or set CHROMIUM_PATH.',
    );
  }
  // Worker processes evaluate the configuration again and read the path from this variable.
  process.env['CHROMIUM_PATH'] = path;
  return path;
}

function findChromium(): string | undefined {
  return [
    chromium.executablePath(),
    // The headless shell is the same engine without a desktop UI, and an eighth faster.
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ].find((path) => existsSync(path) && canRun(path));
}

/** Returns true if the executable starts. Playwright's own Chromium needs libraries that a new machine may not have. */
function canRun(path: string): boolean {
  return spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 60_000 }).status === 0;
}

function installChromium(): string | undefined {
  console.log('No Chromium found, installing one for the browser tests ...');
  const attempts: [command: string, ...args: string[]][] = [
    ['npx', 'playwright', 'install', '--no-shell', 'chromium'],
    ...(process.getuid?.() === 0 && existsSync('/etc/debian_version')
      ? ([
          ['apt-get', 'update', '-qq'],
          ['apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'chromium-headless-shell'],
          // Older Debian releases have no separate package for the headless shell.
          ['apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'chromium'],
        ] as [string, ...string[]][])
      : []),
  ];
  for (const [command, ...args] of attempts) {
    spawnSync(command, args, { stdio: 'ignore', timeout: 240_000 });
    const path = findChromium();
    if (path) return path;
  }
  return undefined;
}
