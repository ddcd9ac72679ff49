import { defineConfig } from '@playwright/test';
import { CHROMIUM_ARGUMENTS, requireChromium } from './tests/support/chromium.ts';

export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/support/site-template.ts',
  workers: 2,
  forbidOnly: true,
  // Generous, because nothing may depend on the speed of the machine; and no retries, because a test that fails once
  // has found a fault.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['html', { open: 'never' }]],
  use: {
    // Animations are instant unless a test asks for them: test.use({ contextOptions: { reducedMotion: 'no-preference' } }).
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: { executablePath: requireChromium(), args: CHROMIUM_ARGUMENTS },
    // What failed once may not fail again, so what it did is kept. The pages as they were say as much as a film of them, which
    // costs a tenth of the time.
    trace: { mode: 'retain-on-failure', screenshots: false },
  },
});
