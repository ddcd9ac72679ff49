import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { CHROMIUM_ARGUMENTS, requireChromium } from './tests/support/chromium.ts';

export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/support/site-template.ts',
  // A test waits for half of its time, for timers, animations and servers that start.
  workers: 2 * availableParallelism(),
  forbidOnly: true,
  // Generous, because nothing may depend on the speed of the machine; and no retries, because a test that fails once
  // has found a fault.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['html', { open: 'never' }]],
  use: {
    // One context for the tests of a file, emptied in between, and with it one page and its process.
    reuseContext: true,
    // Animations are instant unless a test asks for them: test.use({ contextOptions: { reducedMotion: 'no-preference' } }).
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: { executablePath: requireChromium(), args: CHROMIUM_ARGUMENTS },
    // Traces cost a tenth of the time; `npx playwright test --trace on` records them.
    screenshot: 'only-on-failure',
  },
});
