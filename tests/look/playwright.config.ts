import { defineConfig } from '@playwright/test';
import tests from '../../playwright.config.ts';

/** `npm run look`: pictures of every screen for people who look at them; it judges nothing. */
export default defineConfig({
  ...tests,
  testDir: '.',
  globalSetup: '../support/site-template.ts',
  globalTeardown: './write-index.ts',
  outputDir: '../../look/failed',
  reporter: 'list',
});
