/** HTML of posts in the formats of Ghost's editors, for exports without rendered HTML. */
import { escapeMarkup } from '../../ui/lib/escape-markup.ts';

interface Node {
  [key: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;
const nodesOf = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : []);
const textOf = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
const escaped = (value: unknown) => escapeMarkup(textOf(value));

/** Names of blocks that have no HTML. */
type Note = (text: string) => void;

export function lexicalHtml(source: string, note: Note): string {
  const { root } = parse(source);
  return isNode(root) ? lexicalChildren(root, note) : '';
}

function lexicalChildren(node: Node, note: Note): string {
  return nodesOf(node['children'])
    .map((child) => lexicalNode(child, note))
    .join('');
}

/** Marks of text nodes, by the bit in their format. */
const MARKS = ['strong', 'em', 's', 'u', 'code', 'sub', 'sup'];

function lexicalNode(node: Node, note: Note): string {
  const inner = () => lexicalChildren(node, note);
  switch (node['type']) {
    case 'text':
    case 'extended-text':
      return MARKS.reduce(
        (html, mark, bit) => ((Number(node['format']) >> bit) & 1 ? `<${mark}>${html}</${mark}>` : html),
        escaped(node['text']),
      );
    case 'linebreak':
      return '<br>';
    case 'paragraph':
      return `<p>${inner()}</p>`;
    case 'heading':
    case 'extended-heading':
    case 'list':
      return `<${escaped(node['tag'])}>${inner()}</${escaped(node['tag'])}>`;
    case 'listitem':
      return `<li>${inner()}</li>`;
    case 'quote':
    case 'extended-quote':
    case 'aside':
      return `<blockquote>${inner()}</blockquote>`;
    case 'link':
      return `<a href="${escaped(node['url'])}">${inner()}</a>`;
    default:
      return cardHtml(textOf(node['type']), node, note);
  }
}

/** Cards have the same fields in both formats. */
function cardHtml(type: string, node: Node, note: Note): string {
  switch (type) {
    case 'image':
      return `<figure><img src="${escaped(node['src'])}" alt="${escaped(node['alt'])}"><figcaption>${textOf(node['caption'])}</figcaption></figure>`;
    case 'codeblock':
    case 'code':
      return `<pre><code class="language-${escaped(node['language'])}">${escaped(node['code'])}</code></pre>`;
    case 'horizontalrule':
    case 'hr':
      return '<hr>';
    case 'html':
      note('Contained embedded HTML. Check the result.');
      return textOf(node['html']);
    case 'embed':
      return textOf(node['html']) || `<p>${escaped(node['url'])}</p>`;
    case 'bookmark':
      return `<p>${escaped(node['url'])}</p>`;
    default:
      if (type) note(`Card removed: ${type}.`);
      return '';
  }
}

export function mobiledocHtml(source: string, note: Note): string {
  const { markups, cards, sections } = parse(source);
  const marks = Array.isArray(markups) ? markups : [];
  return (Array.isArray(sections) ? sections : [])
    .map((section: unknown) => {
      const [kind, tag, content] = Array.isArray(section) ? section : [];
      if (kind === 10) {
        const [type, card] = (Array.isArray(cards) && cards[Number(tag)]) || [];
        return cardHtml(textOf(type), isNode(card) ? card : {}, note);
      }
      const lines: unknown[] = Array.isArray(content) ? content : [];
      const inner =
        kind === 3 ? lines.map((line) => `<li>${markersHtml(line, marks)}</li>`).join('') : markersHtml(lines, marks);
      return `<${escaped(tag)}>${inner}</${escaped(tag)}>`;
    })
    .join('');
}

/** Each marker opens marks and closes a number of them. */
function markersHtml(markers: unknown, marks: unknown[]): string {
  const open: string[] = [];
  return (Array.isArray(markers) ? markers : [])
    .map((marker: unknown) => {
      const [, opened, closed, text] = Array.isArray(marker) ? marker : [];
      let html = '';
      for (const index of Array.isArray(opened) ? opened : []) {
        const [tag, attributes] = Array.isArray(marks[index]) ? marks[index] : [];
        open.push(escaped(tag));
        html += Array.isArray(attributes) ? `<${escaped(tag)} href="${escaped(attributes[1])}">` : `<${escaped(tag)}>`;
      }
      html += escaped(text);
      for (let count = Number(closed) || 0; count > 0 && open.length > 0; count -= 1) html += `</${open.pop()}>`;
      return html;
    })
    .join('');
}

function parse(source: string): Node {
  try {
    const value: unknown = JSON.parse(source);
    return isNode(value) ? value : {};
  } catch {
    return {};
  }
}
