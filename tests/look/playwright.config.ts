import { defineConfig } from '@playwright/test';
import tests from '../../playwright.config.ts';

/** `npm run look`: takes screenshots of every screen for manual review. */
export default defineConfig({
  ...tests,
  testDir: '.',
  globalSetup: '../support/site-template.ts',
  globalTeardown: './write-index.ts',
  outputDir: '../../look/failed',
  reporter: 'list',
});
