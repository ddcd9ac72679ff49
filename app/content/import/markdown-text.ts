/** Converts the pictures, links, embedded HTML and shortcodes in the Markdown of Hugo and Jekyll. */
import { asKnownToken, readMarkdown } from '../../ui/lib/markdown.ts';
import { safeHref } from '../../ui/lib/safe-href.ts';
import { type ConvertContext, htmlToMarkdown } from './html-to-markdown.ts';

export function convertMarkdown(markdown: string, context: ConvertContext): string {
  const prepared = markdown
    .replace(/\{% highlight ([\w+-]*)[^%]*%\}\n?([\s\S]*?)\n?\{% endhighlight %\}/g, '```$1\n$2\n```')
    .replace(/\{\{\s*site\.(?:baseurl|url)\s*\}\}/g, '');
  let text = '';
  for (const part of readMarkdown(prepared).tokens) {
    const token = asKnownToken(part);
    if (token.type === 'code') text += token.raw;
    else if (token.type === 'html') text += convertHtml(token.raw, context);
    // Removed parts leave empty lines. Keep only one.
    else if (token.type !== 'space' || !text.endsWith('\n\n')) text += convertText(token.raw, context);
  }
  return text.trim();
}

function convertHtml(html: string, context: ConvertContext): string {
  if (!/^\s*<!--/.test(html)) context.note('Contained embedded HTML. Check the result.');
  const markdown = htmlToMarkdown(html, context);
  return markdown && markdown + (/\n*$/.exec(html)?.[0] ?? '');
}

/** Converts everything outside of inline code. */
function convertText(source: string, context: ConvertContext): string {
  return source
    .split(/(`+[^`]*`+)/)
    .map((part, index) => (index % 2 === 1 ? part : convertPart(part, context)))
    .join('');
}

const SHORTCODE = /\{\{[<%]\s*(\/?[\w-]+)([^{}]*?)\/?\s*[%>]\}\}|\{%\s*(\w+)[^%]*%\}/g;
const IMAGE = /!\[([^\]\n]{0,1000})\]\(\s*<?((?:[^\s()<>]|\([^\s()<>]*\))+)>?((?:\s+(?:"[^"\n]*"|'[^'\n]*'))?)\s*\)/g;
const LINK = /(?<!!)\[([^\]\n]{0,1000})\]\(\s*<?((?:[^\s()<>]|\([^\s()<>]*\))+)>?/g;
const DEFINITION = /^( {0,3}\[(?!\^)[^\]\n]{1,1000}\]:[ \t]*)<?([^\s<>]+)>?/gm;
const LINKED_HTML = /<a\b[^<>]*>[^<]*<\/a>|<img\b[^<>]*>/gi;
const TAG = /<\/?[a-z][a-z\d-]*(?:\s[^<>]*)?\/?>|<!--[\s\S]*?-->/gi;

function convertPart(part: string, context: ConvertContext): string {
  return part
    .replace(SHORTCODE, (_all, name = '', attributes = '', jekyllName = '') =>
      shortcode(name || jekyllName, attributes, context),
    )
    .replace(LINKED_HTML, (html) => htmlToMarkdown(html, context))
    .replace(/<br\s*\/?>/gi, '\\\n')
    .replace(TAG, (html) => {
      if (!html.startsWith('<!--')) context.note('Contained embedded HTML. Check the result.');
      return '';
    })
    .replace(IMAGE, (_all, alt: string, url: string, title: string) => {
      const file = context.file(url, alt);
      if (file) return `![${alt}](${file}${title})`;
      context.note(`Picture not found: ${url}.`);
      return /^https?:\/\//i.test(url) ? `[${alt || url}](${url})` : alt;
    })
    .replace(LINK, (all, label: string, url: string) => {
      const target = newUrl(url, context);
      return target === url ? all : `[${label}](${target || '#'}`;
    })
    .replace(DEFINITION, (_all, label: string, url: string) => label + (newUrl(url, context) || '#'));
}

function newUrl(url: string, context: ConvertContext): string {
  if (url.startsWith('/import-file/')) return url;
  const target = context.file(url) ?? safeHref(context.link(url));
  if (target === null) context.note(`Link removed: ${url.slice(0, 100)}.`);
  return target ?? '';
}

function shortcode(name: string, attributes: string, context: ConvertContext): string {
  const value = (key: string) => new RegExp(`\\b${key}\\s*=\\s*"([^"]*)"`).exec(attributes)?.[1] ?? '';
  const firstArgument = /^\s*"?([\w-]+)/.exec(attributes)?.[1] ?? '';
  if (name === 'figure') {
    const caption = value('caption') || value('title');
    return `![${value('alt')}](${value('src')})${caption ? `\n\n*${caption}*` : ''}`;
  }
  if (name === 'youtube') return `https://www.youtube.com/watch?v=${value('id') || firstArgument}`;
  if (name === 'vimeo') return `https://vimeo.com/${value('id') || firstArgument}`;
  if (!/^\/|^end|^raw$/.test(name)) context.note(`Shortcode removed: ${name}.`);
  return '';
}
