import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { CHROMIUM_ARGUMENTS, requireChromium } from './tests/support/chromium.ts';

export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/support/site-template.ts',
  // Tests spend half of their time waiting for timers, animations and servers.
  workers: 2 * availableParallelism(),
  forbidOnly: true,
  // Generous, so that tests do not depend on the speed of the machine. No retries, because a flaky test is a bug.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['html', { open: 'never' }]],
  use: {
    // One context per file, cleared between tests, which saves a page and its process.
    reuseContext: true,
    // Animations are instant unless a test asks for them: test.use({ contextOptions: { reducedMotion: 'no-preference' } }).
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: { executablePath: requireChromium(), args: CHROMIUM_ARGUMENTS },
    // Traces make tests 10% slower. Record them with `npx playwright test --trace on`.
    screenshot: 'only-on-failure',
  },
});
