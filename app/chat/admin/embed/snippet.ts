import { escapeMarkup } from '../../../ui/lib/escape-markup.ts';
import stylesheet from './example-page.css?url&no-inline';

export interface EmbedOptions {
  position: 'right' | 'left';
  /** Null for the brand colour, which is the script's default. */
  color: string | null;
  greeting: string;
}

/** Returns the embed snippet. Default values are omitted. */
export function embedSnippet(origin: string, { position, color, greeting }: EmbedOptions): string {
  const attributes = [
    position === 'left' && 'data-position="left"',
    color !== null && `data-color="${escapeMarkup(color)}"`,
    greeting.trim() && `data-greeting="${escapeMarkup(greeting.trim())}"`,
  ].filter(Boolean);
  return `<script async ${[`src="${origin}/embed.js"`, ...attributes].join(' ')}></script>`;
}

/** Returns the HTML of an example page. Its styles are in a file, because this site's CSP applies to the page. */
export function examplePage(snippet: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Example page</title>
<link rel="stylesheet" href="${stylesheet}">
<section aria-label="Your page">
  <h1>Your page</h1>
  <p>The chat button is in the corner of this example.</p>
  <div aria-hidden="true"><hr><hr><hr class="short"><br><hr><hr></div>
</section>
${snippet}
</html>`;
}
