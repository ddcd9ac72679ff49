import type { Page } from '@playwright/test';

declare global {
  interface Window {
    violated: string[];
  }
}

/**
 * Records violations of the content security policy after the next navigation, including violations that the console
 * does not report.
 */
export async function watchPolicy(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.violated = [];
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
      window.violated.push(`${violatedDirective} ${blockedURI} ${sample}`),
    );
  });
}

/** Returns the violations in the document so far. */
export function readViolations(page: Page): Promise<string[]> {
  return page.evaluate(() => window.violated);
}
