import { defineConfig } from '@playwright/test';
import { CHROMIUM_ARGUMENTS, requireChromium } from './tests/support/chromium.ts';

export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/support/site-template.ts',
  workers: 2,
  forbidOnly: true,
  // Machines are noisy: a test may take its time, and where nobody watches one more try tells a fault from a hiccup.
  timeout: 60_000,
  expect: { timeout: 10_000 },
  retries: process.env['CI'] ? 2 : 0,
  reporter: [['list'], ['html', { open: 'never' }]],
  use: {
    // Animations are instant unless a test asks for them: test.use({ contextOptions: { reducedMotion: 'no-preference' } }).
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: { executablePath: requireChromium(), args: CHROMIUM_ARGUMENTS },
    // Recording every test costs a fifth of the time.
    trace: process.env['CI'] ? 'on-first-retry' : 'retain-on-failure',
  },
});
