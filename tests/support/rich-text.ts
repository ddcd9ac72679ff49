import { expect, type Locator, type Page } from '@playwright/test';

/** Finds a rich-text field, or its source view. */
export function findRichText(page: Page, name = 'Content'): Locator {
  return page.getByRole('textbox', { name, exact: true });
}

/** Focuses a field once its editor is loaded. */
export async function focusText(page: Page, name?: string): Promise<void> {
  await expect(findRichText(page, name)).toHaveAttribute('contenteditable', 'true');
  await findRichText(page, name).focus();
}

/**
 * Types a new text over the current one. `fill()` over an image makes Chromium apply an inline style, which the content
 * security policy rejects.
 */
export async function typeText(page: Page, text: string, name?: string): Promise<void> {
  await focusText(page, name);
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Backspace');
  await page.keyboard.type(text);
}

/** Reads the Markdown of a field from its source view. */
export async function readMarkdown(page: Page, name?: string): Promise<string> {
  await toggleSource(page);
  const markdown = await findRichText(page, name).inputValue();
  await toggleSource(page);
  return markdown;
}

/** Replaces the text of a field with Markdown, in its source view. */
export async function writeMarkdown(page: Page, markdown: string, name?: string): Promise<void> {
  await toggleSource(page);
  await findRichText(page, name).fill(markdown);
  await toggleSource(page);
}

async function toggleSource(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Markdown source' }).click();
}

/** Selects text within one text node, as a user would with the mouse. */
export async function selectWords(page: Page, words: string): Promise<void> {
  await findRichText(page).evaluate((text: HTMLElement, target) => {
    text.focus();
    const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const index = node.nodeValue?.indexOf(target) ?? -1;
      if (index >= 0) return getSelection()?.setBaseAndExtent(node, index, node, index + target.length);
    }
    throw new Error(`Not in the text: ${target}`);
  }, words);
  await expect(page.getByRole('toolbar', { name: 'Selection' })).toBeVisible();
}

/** Pastes data into the text, or drops it there if `isDrop` is true. */
export async function paste(
  page: Page,
  { html, plain, file, isDrop = false }: { html?: string; plain?: string; file?: number[]; isDrop?: boolean },
): Promise<void> {
  await findRichText(page).evaluate(
    (text, input) => {
      const data = new DataTransfer();
      if (input.plain !== undefined) data.setData('text/plain', input.plain);
      if (input.html !== undefined) data.setData('text/html', input.html);
      if (input.file)
        data.items.add(new File([new Uint8Array(input.file)], 'fjord-at-dawn.png', { type: 'image/png' }));
      const options = { bubbles: true, cancelable: true };
      const { left, bottom } = text.getBoundingClientRect();
      text.dispatchEvent(
        input.isDrop
          ? new DragEvent('drop', { ...options, dataTransfer: data, clientX: left + 40, clientY: bottom - 10 })
          : new ClipboardEvent('paste', { ...options, clipboardData: data }),
      );
    },
    { html, plain, file, isDrop },
  );
}
