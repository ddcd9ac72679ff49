import { escapeMarkup } from '../../../ui/lib/escape-markup.ts';
import stylesheet from './example-page.css?url&no-inline';

export interface EmbedOptions {
  position: 'right' | 'left';
  /** Null for the site's own, which the script draws the button in by itself. */
  color: string | null;
  greeting: string;
}

/** Writes the tag that puts the chat on a page. Values that are the script's defaults are left out. */
export function embedSnippet(origin: string, { position, color, greeting }: EmbedOptions): string {
  const attributes = [
    position === 'left' && 'data-position="left"',
    color !== null && `data-color="${escapeMarkup(color)}"`,
    greeting.trim() && `data-greeting="${escapeMarkup(greeting.trim())}"`,
  ].filter(Boolean);
  return `<script async ${[`src="${origin}/embed.js"`, ...attributes].join(' ')}></script>`;
}

/**
 * Writes a page of somebody else, as far as it matters here. Its styles are a file, because this site's policy holds in
 * it.
 */
export function examplePage(snippet: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Example page</title>
<link rel="stylesheet" href="${stylesheet}">
<section aria-label="Your page">
  <h1>Your page</h1>
  <p>The chat waits in the corner of this example.</p>
  <div aria-hidden="true"><hr><hr><hr class="short"><br><hr><hr></div>
</section>
${snippet}
</html>`;
}
