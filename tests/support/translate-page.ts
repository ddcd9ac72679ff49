import type { Page } from '@playwright/test';

/**
 * Wraps each text node of the page in nested `<font>` elements, like the built-in translators of Chrome and Edge. Also
 * wraps text that is added later. Appends a middle dot to mark text as translated.
 */
export async function translatePage(page: Page): Promise<void> {
  await page.evaluate(() => {
    const translate = () => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const nodes: Text[] = [];
      while (walker.nextNode()) if (walker.currentNode instanceof Text) nodes.push(walker.currentNode);
      for (const node of nodes) {
        if (!node.data.trim() || node.parentElement?.closest('script, style, textarea, font')) continue;
        const [outer, inner] = [document.createElement('font'), document.createElement('font')];
        inner.textContent = `${node.data}·`;
        outer.append(inner);
        node.replaceWith(outer);
      }
    };
    translate();
    new MutationObserver(translate).observe(document.body, { childList: true, characterData: true, subtree: true });
  });
}
