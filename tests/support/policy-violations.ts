import type { Page } from '@playwright/test';

declare global {
  interface Window {
    violated: string[];
  }
}

/** Notes from the next navigation on which directives are violated, also those that the console does not name. */
export async function watchPolicy(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.violated = [];
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
      window.violated.push(`${violatedDirective} ${blockedURI} ${sample}`),
    );
  });
}

/** Returns what was violated in the document so far. */
export function violationsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => window.violated);
}
